import { beforeEach } from 'bun:test'
import { sendDigests } from '../../src/delivery/digest'
import { createInstance } from './instance'
import { seedLibrary } from './seed-library'
import { startSmtp } from './smtp'

export const baseUrl = 'https://kiroku.example'

/** 8:00 in Tokyo on that day of April. */
export const morning = (date: number) => Date.UTC(2026, 3, date - 1, 23)

/** mio (1) in Tokyo, who wants e-mails of the morning, and a mail server. Nothing was told before each test. */
export async function createDigests() {
  const smtp = startSmtp()
  const config = { smtpUrl: smtp.url, baseUrl, rateLimit: 10_000 }
  const kiroku = await createInstance({ seed: seedLibrary, config })
  const { deps, clock } = kiroku
  const { handle } = kiroku.store
  const start = clock.now

  /** Runs the job as the server does, and waits until what it wrote has arrived and is noted. */
  async function run(at = clock.now, mail = deps.mail): Promise<void> {
    clock.now = at
    await sendDigests({ ...deps, mail })
    await mail?.idle()
    await deps.write(async () => {})
  }

  beforeEach(async () => {
    clock.now = start
    handle.run('delete from notifications')
    handle.run(
      "update users set digest = '', digest_told = 0, digest_secret = null, time_zone = 'Asia/Tokyo', language = 'en'",
    )
    handle.run("update users set name = '律' where id = 2")
    handle.run("update users set digest = 'like,comment,follow,episode' where id = 1")
    smtp.letters.length = 0
    await run()
  })

  const told = (columns: Record<string, string | number | null> = {}) => {
    const row = { user_id: 1, actor_id: 2, kind: 'like', created_at: clock.now, ...columns }
    handle.run(
      `insert into notifications (${Object.keys(row)}) values (${Object.keys(row).map(() => '?')})`,
      Object.values(row),
    )
  }
  const arrived = () => smtp.letters.map(({ to }) => to)
  const close = async () => {
    await deps.mail?.idle()
    await kiroku.close()
    smtp[Symbol.dispose]()
  }
  return { kiroku, handle, smtp, run, told, arrived, close }
}
