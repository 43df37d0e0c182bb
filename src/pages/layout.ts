import type { Messages } from '../messages/en'
import type { Language } from '../messages/languages'
import type { PicturedUser } from './avatar'
import { html, Markup } from './html'
import type { Preferences } from './preferences'

export interface PageContext {
  readonly basePath: string
  readonly language: Language
  readonly t: Messages
  /** Epoch milliseconds. */
  readonly now: number
  readonly member: Member | undefined
  readonly preferences: Preferences
  /** The name of the cookie in which the script stores the browser's time zone. */
  readonly zoneCookie: string
  /** The reader has chosen a time zone, whatever the browser's is. */
  readonly hasOwnZone: boolean
  /** Whether devices keep the reader's own pages. */
  readonly hasWorker: boolean
  /** What was just done, with its undo: see `toast.ts`. */
  readonly toast?: Markup
}

export interface Member extends PicturedUser {
  readonly id: number
  readonly isAdmin: boolean
  readonly csrf: string
  /** Notifications that are new, at most 100. */
  readonly unread: number
}

/** `formTargets`: other origins that forms of the page may redirect to. */
export interface PageContent {
  readonly title: string
  readonly main: Markup
  readonly place?: NavigationPlace
  readonly back?: { readonly path: string; readonly name: string }
  /** For an installed app, on pages without `back`. */
  readonly backInApp?: { readonly path: string; readonly name: string } | undefined
  /** Only the logo above it; in a narrow column, as for signing in, unless it is wide. */
  readonly isBare?: boolean
  readonly isWide?: true
  readonly search?: SearchField
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly formTargets?: readonly string[]
  /** `scripts`, `styles`: CSP sources that `head` needs besides our own. */
  readonly head?: Markup
  readonly scripts?: readonly string[]
  readonly styles?: readonly string[]
  /** The member's own, and of nobody else: a device may keep it for when there is no network (D109). */
  readonly isKept?: true
  /** Devices keep it for whoever uses them: nothing of it tells who asked for it. */
  readonly isForNobody?: true
  /** The page's scripts draw the `main` element themselves. */
  readonly rendersMain?: true
}

export interface SearchField {
  readonly text: string
  readonly kind: string
}

export type NavigationPlace = 'track' | 'find' | 'library' | 'me'

export const titled = (title: string, content: Markup): PageContent => ({
  title,
  main: html`<h1>${title}</h1>${content}`,
})

/** For the head of a page with `data-poll`: reloads the whole page for readers without script. */
export const reloading = new Markup('<noscript><meta http-equiv="refresh" content="3" /></noscript>')
