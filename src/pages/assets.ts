import { readFileSync } from 'node:fs'
import failureScript from '../../dist/failure.js' with { type: 'text' }
import icon180 from '../../dist/icon-180.png' with { type: 'file' }
import icon192 from '../../dist/icon-192.png' with { type: 'file' }
import icon512 from '../../dist/icon-512.png' with { type: 'file' }
import maskable from '../../dist/icon-maskable-512.png' with { type: 'file' }
import passkeyScript from '../../dist/passkeys.js' with { type: 'text' }
import phoneScript from '../../dist/phone.js' with { type: 'text' }
import pushScript from '../../dist/push.js' with { type: 'text' }
import script from '../../dist/script.js' with { type: 'text' }
import shareScript from '../../dist/share.js' with { type: 'text' }
import stripScript from '../../dist/strip.js' with { type: 'text' }
import { compress, type Encoding, encodingFor } from '../http/compression'
import apiStyle from './assets/api.css' with { type: 'text' }
import apiScript from './assets/api.js' with { type: 'text' }
import avatar from './assets/avatar.svg' with { type: 'text' }
import background from './assets/background.svg' with { type: 'text' }
import icon from './assets/icon.svg' with { type: 'text' }
import activity from './assets/style/activity.css' with { type: 'text' }
import base from './assets/style/base.css' with { type: 'text' }
import buttons from './assets/style/buttons.css' with { type: 'text' }
import calendar from './assets/style/calendar.css' with { type: 'text' }
import catalogue from './assets/style/catalogue.css' with { type: 'text' }
import components from './assets/style/components.css' with { type: 'text' }
import covers from './assets/style/covers.css' with { type: 'text' }
import diary from './assets/style/diary.css' with { type: 'text' }
import editLists from './assets/style/edit-lists.css' with { type: 'text' }
import editing from './assets/style/editing.css' with { type: 'text' }
import episode from './assets/style/episode.css' with { type: 'text' }
import firstRun from './assets/style/first-run.css' with { type: 'text' }
import floating from './assets/style/floating.css' with { type: 'text' }
import forms from './assets/style/forms.css' with { type: 'text' }
import importing from './assets/style/import.css' with { type: 'text' }
import library from './assets/style/library.css' with { type: 'text' }
import lists from './assets/style/lists.css' with { type: 'text' }
import meeting from './assets/style/meeting.css' with { type: 'text' }
import merging from './assets/style/merging.css' with { type: 'text' }
import passkeys from './assets/style/passkeys.css' with { type: 'text' }
import phone from './assets/style/phone.css' with { type: 'text' }
import print from './assets/style/print.css' with { type: 'text' }
import profile from './assets/style/profile.css' with { type: 'text' }
import scrobbling from './assets/style/scrobbling.css' with { type: 'text' }
import search from './assets/style/search.css' with { type: 'text' }
import seasons from './assets/style/seasons.css' with { type: 'text' }
import sheet from './assets/style/sheet.css' with { type: 'text' }
import shell from './assets/style/shell.css' with { type: 'text' }
import stats from './assets/style/stats.css' with { type: 'text' }
import tables from './assets/style/tables.css' with { type: 'text' }
import thread from './assets/style/thread.css' with { type: 'text' }
import track from './assets/style/track.css' with { type: 'text' }
import work from './assets/style/work.css' with { type: 'text' }
import { html, type Markup } from './html'

type AssetResponse = (request: Request) => Response

const css = 'text/css; charset=utf-8'
const javascript = 'text/javascript; charset=utf-8'
const svg = 'image/svg+xml'
const png = 'image/png'

const parts = [base, buttons, forms, tables, components, floating, shell]

const pages = [
  track,
  sheet,
  work,
  episode,
  search,
  seasons,
  library,
  lists,
  diary,
  calendar,
  profile,
  stats,
  activity,
  thread,
  meeting,
  editing,
  merging,
  editLists,
  importing,
  scrobbling,
  firstRun,
  covers,
  catalogue,
  passkeys,
  phone,
  print,
]

/** A single style sheet; rules of individual pages come last. */
const style = [...parts, ...pages].join('\n')

const files = {
  'style.css': { text: style, contentType: css },
  'script.js': { text: script, contentType: javascript },
  'failure.js': { text: failureScript, contentType: javascript },
  'passkeys.js': { text: passkeyScript, contentType: javascript },
  'phone.js': { text: phoneScript, contentType: javascript },
  'share.js': { text: shareScript, contentType: javascript },
  'push.js': { text: pushScript, contentType: javascript },
  'strip.js': { text: stripScript, contentType: javascript },
  'api.css': { text: apiStyle, contentType: css },
  'api.js': { text: apiScript, contentType: javascript },
  'icon.svg': { text: icon, contentType: svg },
  'icon-180.png': { text: readFileSync(icon180), contentType: png },
  'icon-192.png': { text: readFileSync(icon192), contentType: png },
  'icon-512.png': { text: readFileSync(icon512), contentType: png },
  'icon-maskable-512.png': { text: readFileSync(maskable), contentType: png },
} as const

export type AssetName = keyof typeof files

/** Contains a hash of the content, such as `/assets/style-0f1e2d3c4b.css`: clients may cache it for ever. */
export const assetPath = (name: AssetName): string => paths[name]

/** The script of a single page, for its head. */
export const pageScript = (
  { basePath }: { readonly basePath: string },
  name: 'failure.js' | 'passkeys.js' | 'phone.js' | 'push.js' | 'share.js' | 'strip.js',
): Markup => html`<script src="${basePath}${assetPath(name)}" type="module"></script>`

const paths = Object.fromEntries(
  Object.entries(files).map(([name, { text }]) => {
    const hash = new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 10)
    return [name, `/assets/${name.replace('.', `-${hash}.`)}`]
  }),
) as Record<AssetName, string>

/** Pictures that the API links to keep their addresses. */
export const assets: Readonly<Record<string, AssetResponse>> = {
  ...Object.fromEntries(
    Object.entries(files).map(([name, { text, contentType }]) => [
      paths[name as AssetName],
      served(text, contentType, 'public, max-age=31536000, immutable'),
    ]),
  ),
  '/assets/avatar.svg': served(avatar, svg, 'public, max-age=3600'),
  '/assets/background.svg': served(background, svg, 'public, max-age=3600'),
}

function served(text: string | Uint8Array<ArrayBuffer>, contentType: string, caching: string): AssetResponse {
  const headers = {
    'Content-Type': contentType,
    'Cache-Control': caching,
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    Vary: 'Accept-Encoding',
  }
  let plain: Blob | undefined
  const compressed: Partial<Record<Encoding, Uint8Array<ArrayBuffer>>> = {}
  return (request) => {
    // Pixels are compressed already.
    const encoding = typeof text === 'string' ? encodingFor(request) : undefined
    if (encoding === undefined || typeof text !== 'string') {
      // A text would be copied for each client that does not read it.
      plain ??= new Blob([text])
      return new Response(plain, { headers })
    }
    compressed[encoding] ??= compress(new TextEncoder().encode(text), encoding, true)
    return new Response(compressed[encoding], { headers: { ...headers, 'Content-Encoding': encoding } })
  }
}
