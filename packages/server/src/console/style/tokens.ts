/**
 * Colours, fonts and shapes of all pages. Each colour has one declaration for light and dark. Green stands for the
 * owner's actions, violet for those of agents, amber for questions, and red for refused, failed or destructive actions.
 */
export const TOKENS = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#f6f5f1, #121413);
  --surface: light-dark(#ffffff, #1a1d1c);
  --sunken: light-dark(#eeece5, #232726);
  --line: light-dark(#e1ded5, #2f3432);
  --edge: light-dark(#85827a, #7f8682);
  --ink: light-dark(#1b1e1d, #eceeea);
  --ink-2: light-dark(#535751, #b6bbb4);
  --ink-3: light-dark(#646760, #9da39c);
  --you: light-dark(#14604d, #74cfb2);
  --on-you: light-dark(#ffffff, #06231a);
  --you-soft: light-dark(#e1efe9, #17322a);
  --agent: light-dark(#5a3ea6, #bda8f7);
  --agent-soft: light-dark(#eee9f9, #2a2242);
  --warn: light-dark(#87490a, #f0bb68);
  --warn-soft: light-dark(#fcf0da, #35290f);
  --danger: light-dark(#a5271d, #f7988f);
  --danger-soft: light-dark(#fbe7e4, #3d1d1a);
  --focus: light-dark(#1457b8, #8fbcff);
  --mark: light-dark(#fdeba6, #5b4a0b);
  --r1: 6px; --r2: 10px; --r3: 16px;
  --pop: 0 1px 2px rgb(0 0 0 / 0.06), 0 8px 28px rgb(0 0 0 / 0.12);
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, Inter, "Noto Sans", sans-serif;
  --serif: Charter, "Charis SIL", "Iowan Old Style", Cambria, "Noto Serif", serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", "DejaVu Sans Mono", monospace;
  --t-xs: 0.75rem; --t-s: 0.8125rem; --t-m: 0.9375rem; --t-l: 1.0625rem; --t-2xl: 1.75rem;
  --rail: 13.5rem; --bar: 3.75rem; --gap: 1rem;
  /* Names that the consent and import pages use. */
  --ground: var(--paper); --line-strong: var(--edge); --text: var(--ink); --quiet: var(--ink-2);
  --accent: var(--you); --accent-text: var(--on-you); --accent-soft: var(--you-soft); --radius: var(--r2);
}
[data-theme="dark"] { color-scheme: dark; }
[data-theme="light"] { color-scheme: light; }
.k-mail { --tint: light-dark(#e4edfa, #1b2a40); --tone: light-dark(#1f559f, #93bdf5); }
.k-chat { --tint: light-dark(#def1f0, #143230); --tone: light-dark(#0f625f, #74d0ca); }
.k-note { --tint: light-dark(#fbf0cf, #362c0e); --tone: light-dark(#785400, #ecc65c); }
.k-event { --tint: light-dark(#fbe5e5, #3c1f21); --tone: light-dark(#a3303a, #f59ca2); }
.k-photo { --tint: light-dark(#f8e5f3, #3a1e33); --tone: light-dark(#93307c, #f0a0dc); }
.k-place { --tint: light-dark(#e5f2de, #20331a); --tone: light-dark(#386a1f, #a3d888); }
.k-buy { --tint: light-dark(#fbe9dc, #3b2614); --tone: light-dark(#934a12, #f2ad76); }
.k-ai { --tint: light-dark(#e6e9f0, #252b38); --tone: light-dark(#44506b, #b4c1dc); }
.k-music { --tint: light-dark(#fbe4ec, #3d1c2a); --tone: light-dark(#a12c5a, #f79abb); }
.k-web, .k-people { --tint: light-dark(#e2eff6, #17303c); --tone: light-dark(#1d5f7d, #86c8e6); }
.k-file { --tint: light-dark(#ecebe6, #2b2e2c); --tone: light-dark(#555750, #babdb5); }
.k-health { --tint: light-dark(#fbe6e1, #3d1f18); --tone: light-dark(#a5361c, #f8a18b); }
`
