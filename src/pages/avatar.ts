import { html, type Markup } from './html'

/** The first letter of a name on one of six colours. Says nothing to a screen reader: the name stands beside it. */
export function avatar(name: string, size: 28 | 36 | 72 = 36): Markup {
  const [first = ''] = name
  const kind = size === 36 ? 'avatar' : `avatar avatar-${size}`
  return html`<span class="${kind} tint-${tintOf(name)}" aria-hidden="true">${first}</span>`
}

const tintOf = (name: string): number => Number(Bun.hash.wyhash(name) % 6n)
