import { hash32 } from '../lib/hash'
import { html, type Markup } from './html'

export interface PicturedUser {
  readonly username: string
  /** The path of an uploaded picture; '' if there is none. */
  readonly avatar_url: string
}

type Size = 28 | 36 | 72

/** Decorative: the name is next to it. */
export function userAvatar(
  { basePath }: { readonly basePath: string },
  { username, avatar_url }: PicturedUser,
  size: Size = 36,
): Markup {
  if (!isKeptHere(avatar_url)) return avatar(username, size)
  return html`<img class="${classOf(size)}" src="${basePath}${avatar_url}" alt="" width="${size}" height="${size}" />`
}

/** The first letter of a name on one of six colours. Hidden from screen readers. */
export function avatar(name: string, size: Size = 36): Markup {
  const [first = ''] = name
  return html`<span class="${classOf(size)} tint-${tintOf(name)}" aria-hidden="true">${first}</span>`
}

const classOf = (size: Size) => (size === 36 ? 'avatar' : `avatar avatar-${size}`)

/** 0 to 5, ignoring case, as usernames do (D50). */
export const tintOf = (name: string): number => hash32(name.toLowerCase()) % 6

export const avatarUrl = (basePath: string, { username, avatar_url }: PicturedUser): string =>
  basePath + (isKeptHere(avatar_url) ? avatar_url : `/avatars/${username}.svg`)

/** The content security policy allows no others. */
const isKeptHere = (url: string) => url.startsWith('/')
