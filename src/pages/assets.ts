import script from '../../dist/script.js' with { type: 'text' }
import { compress, type Encoding, encodingFor } from '../http/compression'
import apiStyle from './assets/api.css' with { type: 'text' }
import apiScript from './assets/api.js' with { type: 'text' }
import avatar from './assets/avatar.svg' with { type: 'text' }
import background from './assets/background.svg' with { type: 'text' }
import icon from './assets/icon.svg' with { type: 'text' }
import { style } from './style'

type Answer = (request: Request) => Response

const css = 'text/css; charset=utf-8'
const javascript = 'text/javascript; charset=utf-8'
const svg = 'image/svg+xml'

const files = {
  'style.css': { text: style, contentType: css },
  'script.js': { text: script, contentType: javascript },
  'api.css': { text: apiStyle, contentType: css },
  'api.js': { text: apiScript, contentType: javascript },
  'icon.svg': { text: icon, contentType: svg },
} as const

export type AssetName = keyof typeof files

/** Contains a hash of the content, such as `/assets/style-0f1e2d3c4b.css`: clients may cache it for ever. */
export const assetPath = (name: AssetName): string => paths[name]

const paths = Object.fromEntries(
  Object.entries(files).map(([name, { text }]) => {
    const hash = new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 10)
    return [name, `/assets/${name.replace('.', `-${hash}.`)}`]
  }),
) as Record<AssetName, string>

/** Pictures that the API links to keep their addresses. */
export const assets: Readonly<Record<string, Answer>> = {
  ...Object.fromEntries(
    Object.entries(files).map(([name, { text, contentType }]) => [
      paths[name as AssetName],
      served(text, contentType, 'public, max-age=31536000, immutable'),
    ]),
  ),
  '/assets/avatar.svg': served(avatar, svg, 'public, max-age=3600'),
  '/assets/background.svg': served(background, svg, 'public, max-age=3600'),
}

function served(text: string, contentType: string, caching: string): Answer {
  const headers = {
    'Content-Type': contentType,
    'Cache-Control': caching,
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    Vary: 'Accept-Encoding',
  }
  let plain: Blob | undefined
  const compressed: Partial<Record<Encoding, Uint8Array<ArrayBuffer>>> = {}
  return (request) => {
    const encoding = encodingFor(request)
    if (encoding === undefined) {
      // A text would be copied for each client that does not read it.
      plain ??= new Blob([text])
      return new Response(plain, { headers })
    }
    compressed[encoding] ??= compress(new TextEncoder().encode(text), encoding, true)
    return new Response(compressed[encoding], { headers: { ...headers, 'Content-Encoding': encoding } })
  }
}
