import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { hasChromium, type Site, sharedBrowser } from '../support/chromium'
import { fillCatalogue, personAt, works } from '../support/flows'
import { createInstance } from '../support/instance'
import { type Server, startServer, temporaryDirectory } from '../support/kiroku'
import { phone } from '../support/late-site'
import { createRelay, type Relay } from '../support/relay'
import { until } from '../support/until'

/** How often the server is killed; up to 12 by hand, as often as there are episodes. */
const kills = Number(process.env.KIROKU_KILLS ?? 4)

const directory = temporaryDirectory()
let relay: Relay
let server: Server
let data = ''
afterAll(async () => {
  await server?.end('SIGKILL')
  await relay?.close()
  directory[Symbol.dispose]()
})

const start = async () => {
  server = await startServer(directory, ['--data', data, '--base-url', relay.url])
  relay.passTo(server.port)
  relay.set('open')
}

/** Ids of the episodes that are recorded, in order. */
function recorded(): number[] {
  using database = new Database(join(data, 'kiroku.db'), { readonly: true })
  return database
    .query<{ episode_id: number }, []>('select episode_id from records order by id')
    .all()
    .map(({ episode_id }) => episode_id)
}

let person: Awaited<ReturnType<typeof personAt>>
beforeAll(async () => {
  if (!hasChromium) return
  relay = await createRelay(0)
  const instance = await createInstance({ config: { baseUrl: relay.url } })
  instance.clock.now = Date.now()
  data = directory.file('data')
  await fillCatalogue({ instance } as Site)
  instance.store.handle.run(
    "insert into statuses (user_id, work_id, kind, changed_at) values (1, ?, 'watching', 1)",
    [works.onAir],
  )
  const site = { instance, baseUrl: relay.url, browser: await sharedBrowser() }
  person = await personAt(site as unknown as Site, 'mio', phone)
  instance.store.handle.run('pragma wal_checkpoint(truncate)')
  await Bun.$`mkdir ${data} && cp -a ${instance.deps.config.data}/. ${data}`.quiet()
  await instance.close()
  await start()
}, 120_000)

test.skipIf(!hasChromium)(
  'a press is done once though the server is killed, before it is done or before it is answered (D106, D107)',
  async () => {
    const { page } = person
    for (let turn = 1; turn <= kills; turn += 1) {
      // Anew, as a second press within 400 ms would be that of a double tap.
      await page.goto(relay.url)
      const isDone = turn % 2 === 1
      if (isDone) relay.set({ cut: turn * 20 })
      else server.signal('SIGSTOP')
      await page.locator(`#row-${works.onAir} form[data-act=record] button`).click()
      await page.locator('[data-outbox="1"]').waitFor()
      if (isDone) await until(() => recorded().length === turn)
      await server.end('SIGKILL')
      expect(recorded().length).toBe(isDone ? turn : turn - 1)
      await start()
      await page.evaluate("dispatchEvent(new Event('online'))")
      await page.locator('[data-outbox="0"]').waitFor({ state: 'attached' })
      await page.locator('#toast', { hasText: `Recorded episode ${turn}` }).waitFor()
    }
    expect(recorded()).toEqual(Array.from({ length: kills }, (_, at) => works.onAir * 100 + 1 + at))
  },
)
