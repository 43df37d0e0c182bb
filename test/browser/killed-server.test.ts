import { afterAll, beforeAll, expect, test } from 'bun:test'
import { hasChromium, type Site, sharedBrowser } from '../support/chromium'
import { fillCatalogue, type Person, personAt, works } from '../support/flows'
import { phone } from '../support/late-site'
import { createRelayedServer, type RelayedServer } from '../support/relayed-server'
import { until } from '../support/until'

/** How often the server is killed; up to 12 by hand, as often as there are episodes. */
const kills = Number(process.env.KIROKU_KILLS ?? 4)

let server: RelayedServer
let person: Person
beforeAll(async () => {
  if (!hasChromium) return
  const browser = await sharedBrowser()
  server = await createRelayedServer(async (instance) => {
    await fillCatalogue({ instance } as Site)
    instance.store.handle.run(
      "insert into statuses (user_id, work_id, kind, changed_at) values (1, ?, 'watching', 1)",
      [works.onAir],
    )
    const site = { instance, baseUrl: instance.deps.config.baseUrl, browser }
    person = await personAt(site as unknown as Site, 'mio', phone)
  })
}, 120_000)
afterAll(async () => {
  await person?.context.close()
  await server?.[Symbol.asyncDispose]()
})

/** Ids of the episodes that are recorded, in order. */
const recorded = () =>
  server
    .query<{ episode_id: number }>('select episode_id from records order by id')
    .map(({ episode_id }) => episode_id)

test.skipIf(!hasChromium)(
  'a press is done once though the server is killed, before it is done or before it is answered (D106, D107)',
  async () => {
    const { page } = person
    const { relay } = server
    for (let turn = 1; turn <= kills; turn += 1) {
      // Anew, as a second press within 400 ms would be that of a double tap.
      await page.goto(relay.url)
      const isDone = turn % 2 === 1
      if (isDone) relay.set({ cut: turn * 20 })
      else server.process.signal('SIGSTOP')
      await page.locator(`#row-${works.onAir} form[data-act=record] button`).click()
      await page.locator('[data-outbox="1"]').waitFor()
      if (isDone) await until(() => recorded().length === turn)
      await server.process.end('SIGKILL')
      expect(recorded().length).toBe(isDone ? turn : turn - 1)
      await server.start()
      await page.evaluate("dispatchEvent(new Event('online'))")
      await page.locator('[data-outbox="0"]').waitFor({ state: 'attached' })
      await page.locator('#toast', { hasText: `Recorded episode ${turn}` }).waitFor()
    }
    expect(recorded()).toEqual(Array.from({ length: kills }, (_, at) => works.onAir * 100 + 1 + at))
  },
)
