import worker from '../../../dist/worker.js' with { type: 'text' }
import { instanceText } from '../../accounts/instance-text'
import { assetPath } from '../../pages/assets'
import { manifestOf, speculationPath, speculationRules } from '../../pages/installed'
import { anyone, definePage, type PageRoute } from '../../web/page'
import type { Visit } from '../../web/visit'

/** The names are the reader's, so that a browser asks again. */
const manifest = definePage({
  path: '/manifest.webmanifest',
  access: anyone,
  show: async (visit) => {
    const { name } = await instanceText(visit.deps.seen)
    return file(JSON.stringify(manifestOf(visit, name)), 'application/manifest+json', 'no-cache')
  },
})

/** Its own policy: the worker's requests obey it, not that of the page. */
const workerPolicy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"

const serviceWorker = definePage({
  path: '/sw.js',
  access: anyone,
  show: (visit) =>
    file(
      visit.deps.config.noWorker ? farewell : workerText(visit),
      'text/javascript; charset=utf-8',
      'no-cache',
      {
        'Content-Security-Policy': workerPolicy,
      },
    ),
})

/** With the addresses of what every page needs: a new version of them is a new worker. */
function workerText({ basePath }: Visit): string {
  const assets = (['style.css', 'script.js', 'phone.js', 'icon.svg'] as const).map(
    (name) => basePath + assetPath(name),
  )
  return `self.shell=${JSON.stringify([...assets, `${basePath}/offline`])};${worker}`
}

/** `--no-worker`: removes what a former worker kept, and itself. */
const farewell = `self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil((async () => {
  const base = new URL('.', self.location.href).pathname.slice(0, -1)
  for (const name of await caches.keys())
    if (name.replace(/^kiroku-(?:shell|me-[0-9]+)/, '') === base) await caches.delete(name)
  await self.registration.unregister()
})()))
`

const speculation = definePage({
  path: speculationPath,
  access: anyone,
  show: ({ basePath }) =>
    file(
      JSON.stringify(speculationRules(basePath)),
      'application/speculationrules+json',
      'public, max-age=86400',
    ),
})

function file(
  text: string,
  type: string,
  caching: string,
  more: Readonly<Record<string, string>> = {},
): Response {
  return new Response(text, { headers: { 'Content-Type': type, 'Cache-Control': caching, ...more } })
}

export const installedRoutes: readonly PageRoute[] = [manifest, serviceWorker, speculation]
