import { afterAll, describe, expect, test } from 'bun:test'
import { sendDigests } from '../../src/delivery/digest'
import { openMail } from '../../src/mail/open-mail'
import { baseUrl, createDigests, morning } from '../support/digests'
import { startSmtp } from '../support/smtp'

const { kiroku, handle, smtp, run, told, arrived, close } = await createDigests()
const { deps, clock } = kiroku
afterAll(close)

const hour = 3_600_000
const day = 24 * hour

describe('an e-mail of what is new, at 8 in the morning (people.md §7)', () => {
  test('not before 8:00 by the clock of its person, and once', async () => {
    told()
    await run(morning(2) - 1)
    expect(arrived()).toEqual([])
    await run(morning(2))
    expect(arrived()).toEqual(['mio@example.com'])
    for (const at of [morning(2) + 1, morning(2) + 2 * hour, morning(3), morning(4)]) await run(at)
    expect(arrived()).toHaveLength(1)
    told()
    await run(morning(4) + 23 * hour)
    await run(morning(5))
    expect(arrived()).toHaveLength(2)
  })

  test('by the wall clock on both days when summer time changes', async () => {
    handle.run("update users set time_zone = 'America/New_York' where id = 1")
    for (const [before, due] of [
      [Date.UTC(2026, 2, 7, 14), Date.UTC(2026, 2, 8, 12)],
      [Date.UTC(2026, 9, 31, 13), Date.UTC(2026, 10, 1, 13)],
    ] as const) {
      smtp.letters.length = 0
      handle.run('update users set digest_at = 0 where id = 1')
      await run(before)
      told()
      await run(due - 1)
      expect(arrived()).toEqual([])
      await run(due)
      expect(arrived()).toHaveLength(1)
    }
  })

  test('somebody who moves to another zone gets it at 8 there', async () => {
    told()
    handle.run("update users set time_zone = 'Europe/Paris' where id = 1")
    await run(morning(2))
    expect(arrived()).toEqual([])
    await run(Date.UTC(2026, 3, 2, 6))
    expect(arrived()).toHaveLength(1)
  })

  test('after hours without a server it comes late; a clock that is set back neither repeats nor stops it', async () => {
    told()
    await run(morning(2) + 5 * hour)
    expect(arrived()).toHaveLength(1)
    await run(morning(2) - 2 * hour)
    await run(morning(2))
    expect(arrived()).toHaveLength(1)
    clock.now += 400 * day
    told()
    await run()
    expect(arrived()).toHaveLength(2)
    clock.now = morning(6)
    await run()
    told()
    await run(morning(7))
    expect(arrived()).toHaveLength(3)
  })

  test('nothing without something new and unread of a kind that was chosen, nor for an account that is disabled', async () => {
    told({ read_at: 1 })
    told({ kind: 'report', actor_id: null })
    await run(morning(2))
    told()
    handle.run("update users set digest = '' where id = 1")
    await run(morning(3))
    handle.run("update users set digest = 'like' where id = 1")
    await run(morning(3) + hour)
    await run(morning(4))
    handle.run('update users set disabled_at = 1 where id = 1')
    told()
    await run(morning(5))
    handle.run('update users set disabled_at = null where id = 1')
    expect(arrived()).toEqual([])
  })

  test('a mail server that is down is tried again, each hour, by another process too', async () => {
    told()
    const refused: string[] = []
    const log = (event: string, facts: object = {}) => void refused.push(`${event} ${JSON.stringify(facts)}`)
    using down = startSmtp({ refuse: [550, 550] })
    const mail = () => openMail({ smtpUrl: down.url, mailFrom: undefined, baseUrl }, log as typeof deps.log)
    await run(morning(2), mail())
    await run(morning(2) + hour - 1, mail())
    await run(morning(2) + hour, mail())
    expect(down.letters).toEqual([])
    expect(refused).toHaveLength(2)
    expect(JSON.stringify([refused, kiroku.lines])).not.toMatch(/mio@|kir_un/)
    await run(morning(2) + 2 * hour)
    await run(morning(2) + 4 * hour)
    expect(arrived()).toEqual(['mio@example.com'])
  })

  test('many at once leave room for other letters', async () => {
    for (let id = 1000; id < 1250; id++)
      handle.run(
        `insert into users (id, username, username_key, name, email, email_key, password_hash, created_at, digest, digest_at)
         values (?1, 'u' || ?1, 'u' || ?1, '', ?1 || '@example.test', ?1 || '@example.test', '', 1, 'like', 1)`,
        [id],
      )
    for (let id = 1000; id < 1250; id++) told({ user_id: id })
    await sendDigests(deps)
    expect(deps.mail?.waiting().fresh).toBeLessThanOrEqual(100)
    for (let turns = 0; turns < 4; turns++) await run()
    expect(new Set(arrived()).size).toBe(250)
    handle.run('delete from notifications')
    handle.run('delete from users where id >= 1000')
  })
})

describe('what it says', () => {
  const letter = async () => {
    await run(morning(2))
    return smtp.letters[0] ?? { head: '', text: '' }
  }

  test('names and counts, titles and numbers, and nobody’s text', async () => {
    told()
    told()
    told({ kind: 'follow', actor_id: 2 })
    handle.run(
      "insert into comments (id, user_id, owner_id, record_id, body, created_at) values (77, 2, 1, 1, 'secret words', 1)",
    )
    told({ kind: 'comment', comment_id: 77 })
    told({ kind: 'episode', actor_id: null, episode_id: 2, began_at: 1 })
    const { head, text } = await letter()
    expect(head).toContain('Subject: kiroku: 5 new notifications')
    expect(text).toMatch(
      /- 1 new episode: \S.*\r\n- 2 likes: 律\r\n- 1 comment: 律\r\n- 1 new follower: 律\r\n/,
    )
    expect(text).toContain(`${baseUrl}/notifications`)
    expect(text).not.toContain('secret words')
    handle.run('delete from comments where id = 77')
  })

  test('title and time of a date to watch together, by the clock of its person (D79)', async () => {
    handle.run("update users set digest = 'meeting' where id = 1")
    handle.run('update users set digest_at = 1 where id = 1')
    handle.run(
      `insert into meetings (id, user_id, work_id, begins_at, location, body, is_open, created_at, changed_at)
       values (7, 2, 1, ?, '', 'secret words', 0, 1, 1)`,
      [Date.UTC(2026, 3, 3, 12)],
    )
    handle.run('insert into meeting_episodes (meeting_id, episode_id) values (7, 2)')
    handle.run('insert into meeting_people (meeting_id, user_id) values (7, 1)')
    told({ kind: 'meeting', meeting_id: 7, meeting_step: 'asked' })
    const { text } = await letter()
    expect(text).toMatch(/- 1 message about watching together: \S.* \(Fri,? 3 Apr 21:00\)\r\n/)
    expect(text).not.toContain('secret words')
    handle.run('delete from notifications')
    handle.run('delete from meetings where id = 7')
  })

  test('only what its person may still see, whether it is shown here or not', async () => {
    handle.run("update users set not_here = 'like' where id = 1")
    told()
    told({ actor_id: 3 })
    told({ actor_id: 4, kind: 'follow' })
    told({ kind: 'episode', actor_id: null, episode_id: 2, began_at: 1 })
    handle.run('insert into mutes (user_id, muted_id, created_at) values (1, 3, 1)')
    handle.run('insert into blocks (user_id, blocked_id, created_at) values (4, 1, 1)')
    handle.run('update episodes set hidden = 1 where id = 2')
    const { head, text } = await letter()
    expect([head.match(/Subject: .*/)?.[0], text.includes('- 1 like: 律')]).toEqual([
      'Subject: kiroku: 1 new notification',
      true,
    ])
    handle.run('update episodes set hidden = 0 where id = 2')
    handle.run("update users set not_here = ''")
    for (const table of ['mutes', 'blocks']) handle.run(`delete from ${table} where created_at = 1`)
  })

  test('in Japanese, with the way to end it in the head and the text (RFC 2369, RFC 8058)', async () => {
    handle.run("update users set language = 'ja' where id = 1")
    told()
    const { head, text } = await letter()
    const [, address = ''] = /List-Unsubscribe: <([^>]+)>/.exec(head) ?? []
    expect(address).toMatch(/^https:\/\/kiroku\.example\/unsubscribe\/kir_un_\w{49}$/)
    expect(head).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    expect([text.includes('・いいね 1件：律'), text.includes(address)]).toEqual([true, true])
  })
})
