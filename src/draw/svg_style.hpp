#pragma once
// The style sheet of the pictures. Without variables, which many programs that show SVG don't know. Colours are told
// apart with any colour vision (Okabe and Ito, "Color universal design", 2008), and shapes without any.

#include <string_view>

namespace zug::draw {

inline constexpr std::string_view svg_style = R"(
text { font: 13px system-ui, "DejaVu Sans", sans-serif; fill: #1b1f24; text-anchor: middle; }
.board { font: 12px ui-monospace, "DejaVu Sans Mono", monospace; text-anchor: start; white-space: pre; }
.heading { font-size: 15px; font-weight: 600; text-anchor: start; }
.legend { text-anchor: start; }
.bounds { font-size: 11px; fill: #57606a; }
.reason { font-size: 11px; fill: #a3320b; }
.beside { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round; }
.gone { fill: #6b737c; }
.paper { fill: #ffffff; }
.line { fill: none; stroke: #57606a; stroke-width: 1.2px; }
.best { stroke: #1b1f24; stroke-width: 3px; }
.pruned { stroke: #8b949e; stroke-dasharray: 5 4; }
.mark { fill: none; stroke: #a3320b; stroke-width: 2px; }
.max, .min, .chance, .player, .end, .leaf, .frame { stroke-width: 1.4px; }
.max { fill: #d9ebf7; stroke: #0072b2; }
.min { fill: #fbe6d8; stroke: #c05000; }
.chance { fill: #dcf2ea; stroke: #00795a; }
.player { fill: #f5e9f1; stroke: #a8588a; }
.end { fill: #e6e8eb; stroke: #1b1f24; }
.leaf { fill: #ffffff; stroke: #57606a; }
.frame { fill: #ffffff; stroke: #b6bdc5; }
.on-best { stroke-width: 3px; }
@media screen and (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .bounds, .gone { fill: #9198a1; }
  .reason { fill: #ff9d73; }
  .beside { stroke: #0d1117; }
  .paper { fill: #0d1117; }
  .line { stroke: #9198a1; }
  .best { stroke: #e6edf3; }
  .pruned { stroke: #6b737c; }
  .mark { stroke: #ff9d73; }
  .max { fill: #12344d; stroke: #56b4e9; }
  .min { fill: #4a2a12; stroke: #f0883e; }
  .chance { fill: #0f3d30; stroke: #2fc698; }
  .player { fill: #43283a; stroke: #e0a3c6; }
  .end { fill: #30363d; stroke: #e6edf3; }
  .leaf, .frame { fill: #151b23; stroke: #6b737c; }
}
@media print {
  svg { width: 100%; height: auto; }
  svg * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
}
)";

} // namespace zug::draw
