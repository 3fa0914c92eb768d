import random
from collections import defaultdict

import zug
from zug.gym import ZugEnv

env = ZugEnv(zug.load("tic-tac-toe"), opponent="random")
values = defaultdict(float)  # by position and action


def best(info):
    return max(info["legal_actions"], key=lambda action: values[info["state"].text, action])


def episode(explore, rate=0.3):
    _, info = env.reset(seed=random.randrange(2**32))
    over = False
    while not over:
        position = info["state"].text
        action = random.choice(info["legal_actions"]) if random.random() < explore else best(info)
        _, reward, over, _, info = env.step(action)
        after = 0 if over else values[info["state"].text, best(info)]
        values[position, action] += rate * (reward + after - values[position, action])
    return reward


if __name__ == "__main__":
    random.seed(1)
    for _ in range(20_000):
        episode(explore=0.2)
    print("mean utility of 1,000 games:", sum(episode(explore=0) for _ in range(1_000)) / 1_000)
