#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace zug::learn {

// Turns numbers into probabilities in proportion to their exponentials.
template <class Number>
void softmax(std::span<Number> numbers) {
    const Number most = *std::ranges::max_element(numbers);
    Number sum = 0;
    for (Number& number : numbers) sum += number = std::exp(number - most);
    for (Number& number : numbers) number /= sum;
}

} // namespace zug::learn
