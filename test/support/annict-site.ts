/** A server that responds like Annict, with fixtures. */
export interface AnnictSite extends Disposable {
  /** For the environment of a command, to use it instead of Annict. */
  readonly env: Readonly<Record<string, string>>
  /** The requests received: `works`, `works Mg`, `dates`; with the token unless it is `secret`. */
  readonly asked: string[]
  /** Resolves at the next such request, which is then left unanswered. */
  stall(what: string): Promise<void>
  answer: (what: string) => Response | undefined
}

const fixture = (name: string) => Bun.file(`${import.meta.dir}/../sources/fixtures/annict/${name}`)

export function annictSite(): AnnictSite {
  const asked: string[] = []
  let stalled: { readonly what: string; resolve(): void } | undefined
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const what = await whatOf(request)
      asked.push(what)
      if (stalled?.what === what) {
        stalled.resolve()
        stalled = undefined
        await new Promise(() => {})
      }
      const files: Record<string, string> = { works: 'works-1', 'works Mg': 'works-2', dates: 'released-on' }
      const file = files[what]
      if (file === undefined) return new Response('unknown', { status: 404 })
      return site.answer(what) ?? Response.json(await fixture(`${file}.json`).json())
    },
  })
  const site: AnnictSite = {
    env: { KIROKU_CATALOGUE_SOURCE_URL_ANNICT: `http://127.0.0.1:${server.port}` },
    asked,
    stall: (what) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      stalled = { what, resolve }
      return promise
    },
    answer: () => undefined,
    [Symbol.dispose]: () => void server.stop(true),
  }
  return site
}

async function whatOf(request: Request): Promise<string> {
  const token = request.headers.get('authorization')
  const sent =
    request.method === 'POST' ? ((await request.json()) as { variables: { after?: string } }) : undefined
  const after = sent?.variables.after ?? ''
  const what = sent === undefined ? 'dates' : `works ${after}`.trim()
  return token === 'Bearer secret' ? what : `${what} with ${token}`
}
