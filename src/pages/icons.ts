import { html, Markup } from './html'

/** In a 20 × 20 box, stroked and not filled. */
const drawings = {
  track: '<path d="M3 5h11M3 10h8M3 15h5m3.5-1 2.5 2.5L18 11.5"/>',
  find: '<circle cx="9" cy="9" r="5.5"/><path d="m13.2 13.2 4.3 4.3"/>',
  library: '<path d="M4 4v13M8.5 4v13m4-12.5L16.5 17"/>',
  me: '<circle cx="10" cy="7" r="3.5"/><path d="M3.5 17.5c.6-3.6 3.2-5 6.5-5s5.9 1.4 6.5 5"/>',
  check: '<path d="m4.5 10.5 3.7 3.7 7.3-7.8"/>',
  close: '<path d="m5 5 10 10M15 5 5 15"/>',
  more: '<g class="solid" stroke-width=".8"><circle cx="4" cy="10" r="1.3"/><circle cx="10" cy="10" r="1.3"/><circle cx="16" cy="10" r="1.3"/></g>',
  question:
    '<circle cx="10" cy="10" r="7"/><path d="M7.8 8a2.2 2.2 0 1 1 3.3 2c-.8.4-1.1.8-1.1 1.6m0 2.1v.3"/>',
  equal: '<path d="M4 7.5h12M4 12.5h12"/>',
  banned: '<circle cx="10" cy="10" r="7"/><path d="m5.1 5.1 9.8 9.8"/>',
  download: '<path d="M10 3.5v9m-3.5-3 3.5 3.5 3.5-3.5M4 16.5h12"/>',
  again: '<path d="M15.2 11.5A5.5 5.5 0 1 1 14 6.1M14.2 2.8v3.5h-3.5"/>',
  undo: '<path d="M7 4 3.5 7.5 7 11M4 7.5h8a4.5 4.5 0 0 1 0 9H8"/>',
  out: '<path d="M8 5H4.5v10.5H15V12M11 4h5v5m0-5-7 7"/>',
  plus: '<path d="M10 4v12M4 10h12"/>',
  next: '<path d="m7.5 5 5 5-5 5"/>',
  back: '<path d="m12.5 5-5 5 5 5"/>',
  down: '<path d="m5 7.5 5 5 5-5"/>',
  swap: '<path d="M4 7.5h11.5M12.5 4.5l3 3-3 3M16 12.5H4.5m3-3-3 3 3 3"/>',
  eye: '<path d="M2 10c2-3.5 4.7-5.2 8-5.2s6 1.7 8 5.2c-2 3.5-4.7 5.2-8 5.2S4 13.5 2 10Z"/><circle cx="10" cy="10" r="2.4"/>',
  pen: '<path d="m4 16 .7-3.7 8.8-8.8 3 3-8.8 8.8L4 16Z"/>',
  warning: '<path d="M10 3.2 18 16.8H2L10 3.2Z"/><path d="M10 8v4m0 2.2v.3"/>',
  file: '<path d="M5 2.5h6.5L15 6v11.5H5v-15Z"/><path d="M11.5 2.5V6H15"/>',
  heart: '<path d="M10 16.5 3.6 10a3.9 3.9 0 0 1 5.5-5.5l.9.9.9-.9A3.9 3.9 0 0 1 16.4 10L10 16.5Z"/>',
  star: '<path d="m10 3 2.1 4.5 4.9.6-3.6 3.4.9 4.9L10 14l-4.3 2.4.9-4.9L3 8.1l4.9-.6L10 3Z"/>',
  bell: '<path d="M5 14V9a5 5 0 0 1 10 0v5l1.5 1.5h-13L5 14Zm3.5 3.5h3"/>',
  comment: '<path d="M3.5 4.5h13v9H9l-3.5 3v-3h-2v-9Z"/>',
  flag: '<path d="M5 17.5V3.5m0 .5h10l-2.5 3.3L15 10.5H5"/>',
  clock: '<circle cx="10" cy="10" r="7"/><path d="M10 6v4l2.7 2"/>',
  calendar: '<path d="M3.5 5h13v12h-13zM3.5 8.5h13M7 3v3.5M13 3v3.5"/>',
  grid: '<path d="M3.5 3.5h5v5h-5zM11.5 3.5h5v5h-5zM3.5 11.5h5v5h-5zM11.5 11.5h5v5h-5z"/>',
  lines: '<path d="M3 5h14M3 10h14M3 15h14"/>',
  settings:
    '<path d="M3 6h8m4 0h2M3 14h2m4 0h8"/><circle cx="13" cy="6" r="2"/><circle cx="7" cy="14" r="2"/>',
  leave: '<path d="M12 4H4.5v12H12M8.5 10h8.5m-3-3 3 3-3 3"/>',
  passkey:
    '<circle cx="7.5" cy="6.5" r="3"/><path d="M2.5 16c.3-3.2 2.2-4.7 5-4.7 1 0 1.9.2 2.6.6"/><circle cx="14.5" cy="9.5" r="2.2"/><path d="M14.5 11.7v5.3m0-2.3h1.7"/>',
  key: '<circle cx="6" cy="10" r="3.2"/><path d="M9.2 10H18m-2.5 0v3m-3-3v2.2"/>',
  laptop: '<path d="M4.5 4.5h11v8h-11zM2.5 15.5h15"/>',
  phone: '<path d="M6.5 2.5h7v15h-7zM9.3 15h1.4"/>',
  globe:
    '<circle cx="10" cy="10" r="7"/><path d="M3 10h14M10 3c2.5 2.2 2.5 11.8 0 14-2.5-2.2-2.5-11.8 0-14"/>',
  link: '<path d="m8.5 11.5 3-3M9 6.5l1.7-1.7a3.2 3.2 0 0 1 4.5 4.5L13.5 11M11 13.5l-1.7 1.7a3.2 3.2 0 0 1-4.5-4.5L6.5 9"/>',
  lock: '<path d="M4.5 9h11v8h-11zM7 9V6a3 3 0 0 1 6 0v3"/>',
  shield: '<path d="M10 2.5 16.5 5v4.5c0 4-2.5 6.5-6.5 8-4-1.5-6.5-4-6.5-8V5L10 2.5Z"/>',
  upload:
    '<path d="M10 14V6.5m-3 3 3-3 3 3M5.5 15.5a3.5 3.5 0 0 1-.5-7 5 5 0 0 1 9.8-.5 3.8 3.8 0 0 1 .7 7.5"/>',
  plug: '<path d="M7 2.5V6m6-3.5V6M5 6h10v3.5a5 5 0 0 1-10 0V6Zm5 8.5v3"/>',
  inbox: '<path d="M3 11.5 5.5 4h9l2.5 7.5V16H3v-4.5Zm0 0h4l1 2h4l1-2h4"/>',
  wanna_watch: '<circle cx="10" cy="10" r="6.5"/>',
  watching: '<path class="solid" d="M6.5 4v12l9-6-9-6Z"/>',
  watched: '<path d="m4 10.5 4 4 8-8.5"/>',
  on_hold: '<path d="M7 4v12M13 4v12"/>',
  stop_watching: '<path d="m5 5 10 10M15 5 5 15"/>',
  great:
    '<circle cx="10" cy="10" r="7.5"/><path d="M6 10.5h8c-.2 2.6-1.9 3.9-4 3.9s-3.8-1.3-4-3.9ZM6 7.8c.7-1 1.7-1 2.4 0m3.2 0c.7-1 1.7-1 2.4 0"/>',
  good: '<circle cx="10" cy="10" r="7.5"/><path d="M6.5 11.8c1.7 2.3 5.3 2.3 7 0M7.3 7.7v.4m5.4-.4v.4"/>',
  average: '<circle cx="10" cy="10" r="7.5"/><path d="M7 12.7h6M7.3 7.7v.4m5.4-.4v.4"/>',
  bad: '<circle cx="10" cy="10" r="7.5"/><path d="M6.8 13.6c1.6-2.2 4.8-2.2 6.4 0M7.3 7.7v.4m5.4-.4v.4"/>',
} as const

export type IconName = keyof typeof drawings

type IconSize = 14 | 16 | 20 | 28 | 40

/** Hidden from screen readers: its control has a name. */
export const icon = (name: IconName, size: IconSize = 20): Markup =>
  html`<svg class="${classOf(size)}" viewBox="0 0 20 20" aria-hidden="true">${new Markup(drawings[name])}</svg>`

const classOf = (size: IconSize) => (size === 20 ? 'icon' : `icon icon-${size}`)

/**
 * The drawings of `icon` for pages with hundreds of them: one `sprite` per page, and `spriteIcon` wherever one is shown.
 */
export const sprite = (...names: readonly IconName[]): Markup =>
  html`<svg class="icon sprite" aria-hidden="true">${names.map(
    (name) => html`<symbol id="icon-${name}" viewBox="0 0 20 20">${new Markup(drawings[name])}</symbol>`,
  )}</svg>`

export const spriteIcon = (name: IconName, size: IconSize = 20): Markup =>
  html`<svg class="${classOf(size)}" aria-hidden="true"><use href="#icon-${name}"/></svg>`

/** Seigaiha waves above the text of an empty list: lower rows overlap upper ones, every other row is offset by half. */
export function waves(): Markup {
  const rows = [
    { y: 34, xs: [84] },
    { y: 52, xs: [56, 112] },
    { y: 70, xs: [28, 84, 140] },
    { y: 88, xs: [0, 56, 112, 168] },
    { y: 106, xs: [28, 84, 140] },
  ]
  const scale = (x: number, y: number) =>
    html`<g>${[28, 19, 10].map((r) => html`<circle cx="${x}" cy="${y}" r="${r}"/>`)}</g>`
  const scales = rows.flatMap(({ y, xs }) => xs.map((x) => scale(x, y)))
  return html`<svg class="waves" viewBox="0 0 168 112" aria-hidden="true">${scales}</svg>`
}
