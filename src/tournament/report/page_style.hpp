#pragma once
// The style sheet of the page: light and dark, wide and narrow, screen and paper.

#include <string_view>

namespace zug::tournament {

// The colours of lines are told apart with any colour vision (Okabe and Ito, "Color universal design", 2008), and their
// dashes without any.
inline constexpr std::string_view page_style = R"(
:root { color-scheme: light dark; --text: #1b1f24; --soft: #57606a; --paper: #ffffff; --rule: #d0d7de; --tint: #f6f8fa;
  --accent: #0072b2; --good: 0, 114, 178; --bad: 213, 94, 0;
  --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #cc79a7; --c4: #b07800; --c5: #56b4e9; --c6: #666666; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --soft: #9198a1; --paper: #0d1117; --rule: #3d444d; --tint: #151b23;
    --accent: #56b4e9; --good: 86, 180, 233; --bad: 240, 136, 62;
    --c0: #56b4e9; --c1: #f0883e; --c2: #2fc698; --c3: #e0a3c6; --c4: #e6b422; --c5: #9bd3f5; --c6: #a9a9a9; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--paper); max-width: 60rem;
  margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0.5rem 0; }
h2 { font-size: 1.15rem; margin: 2rem 0 0.5rem; }
p, footer { color: var(--soft); margin: 0.4rem 0; }
p.result { color: var(--text); font-weight: 600; }
code { font-size: 0.9em; overflow-wrap: anywhere; }
.scroll, .plot { overflow-x: auto; margin: 0.75rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.3rem 0.6rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--rule); }
th { font-weight: 600; color: var(--soft); }
th.text, td.text { text-align: left; }
td.text { white-space: normal; overflow-wrap: anywhere; min-width: 12rem; }
td.self { color: var(--soft); text-align: center; }
td small { display: block; opacity: 0.85; font-size: 0.75em; }
svg { display: block; width: 100%; min-width: 40rem; height: auto; font: 13px system-ui, sans-serif; }
svg text { fill: var(--text); }
svg .mark { fill: var(--soft); text-anchor: middle; font-size: 12px; }
svg .mark-left { fill: var(--soft); text-anchor: end; font-size: 12px; }
svg .grid { stroke: var(--rule); stroke-width: 1; }
svg .zero { stroke: var(--soft); stroke-width: 1; }
svg .interval { stroke: var(--accent); stroke-width: 2; }
svg .bound { stroke: var(--soft); stroke-width: 1.5; stroke-dasharray: 6 4; }
svg .dot, svg .bar { fill: var(--accent); }
svg path { fill: none; }
svg .line0 { stroke: var(--c0); stroke-width: 2; }
svg .line1 { stroke: var(--c1); stroke-width: 2; stroke-dasharray: 8 3; }
svg .line2 { stroke: var(--c2); stroke-width: 2; stroke-dasharray: 3 3; }
svg .line3 { stroke: var(--c3); stroke-width: 2; stroke-dasharray: 10 3 3 3; }
svg .line4 { stroke: var(--c4); stroke-width: 2; stroke-dasharray: 1 3; }
svg .line5 { stroke: var(--c5); stroke-width: 2; stroke-dasharray: 14 4; }
svg .line6 { stroke: var(--c6); stroke-width: 2; stroke-dasharray: 6 2 2 2 2 2; }
@media print {
  :root { --text: #000000; --soft: #444444; --paper: #ffffff; --rule: #bbbbbb; --accent: #0072b2; --good: 0, 114, 178;
    --bad: 213, 94, 0; --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #cc79a7; --c4: #b07800; --c5: #56b4e9;
    --c6: #666666; }
  body { max-width: none; padding: 0; font-size: 11pt; }
  section { break-inside: avoid; }
  svg { min-width: 0; }
  td { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
}
)";

} // namespace zug::tournament
