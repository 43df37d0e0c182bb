import { afterAll, expect, test } from 'bun:test'
import { changePrivacy, finishMove } from '../../src/accounts/account/privacy'
import { collectNews } from '../../src/delivery/collect'
import { sendDigests } from '../../src/delivery/digest'
import { hashSecret } from '../../src/lib/secret'
import { createMail } from '../../src/mail/mail'
import { createInstance } from '../support/instance'
import { registerClient } from '../support/oauth'
import { seedLibrary } from '../support/seed-library'
import { createMember, createVisitor, hiddenInputs, type Visitor } from '../support/visitor'
import { writeOwn } from './leak-own-rows'
import { type Ask, apiReads, documents, feedOf, pages, refused } from './leak-requests'
import { ownTexts, reportTexts, sharedTexts, unshownTexts, writeShared } from './leak-rows'
import { ids, type PersonName, writePeople } from './people'

const kiroku = await createInstance({ seed: seedLibrary })
const { deps, store, lines } = kiroku
const { handle } = store
afterAll(kiroku.close)
writePeople(kiroku)

type Role = Exclude<PersonName, 'secretive'> | 'visitor' | 'application'
const outsiders = ['stranger', 'application', 'blocked', 'muter', 'boss', 'visitor'] as const
const others = ['follower', ...outsiders] as const
const texts = [...sharedTexts, ...ownTexts, ...unshownTexts, ...reportTexts]

/** Sends requests for somebody; an answer is its status, where it leads and its text. */
interface Reader {
  readonly asks: readonly Ask[]
  ask(one: Ask): Promise<string>
}

async function byToken(name: PersonName, isApplication = false): Promise<Reader> {
  const token = await kiroku.tokenOf(name, 'read write')
  if (isApplication)
    handle.run('update tokens set application_id = ? where token_hash = ?', [
      (await registerClient(kiroku)).id,
      hashSecret(token),
    ])
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  // Pages say when it was last used.
  await kiroku.ask('/v1/me', { headers })
  const ask: Reader['ask'] = async ({ method, target, body }) => {
    const response = await kiroku.ask(target, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    return `${response.status} ${await response.text()}`
  }
  return { asks: [...apiReads, ...documents, ...(name === 'owner' ? [] : refused)], ask }
}

const download = { method: 'POST', target: '/settings/export/download' }

function byBrowser(visitor: Visitor, more: readonly Ask[]): Reader {
  const open = async ({ target }: Ask) => {
    const { status, location, text } = await visitor.open(target)
    return `${status} ${location} ${text}`
  }
  const save = async ({ target }: Ask) => {
    const inputs = hiddenInputs((await visitor.open('/settings/export')).text, target)
    return (await visitor.post(target, { ...inputs, file: 'kiroku' })).text
  }
  return { asks: [...pages, ...more], ask: (one) => (one === download ? save(one) : open(one)) }
}

const byAll = async (name: PersonName): Promise<readonly Reader[]> => [
  await byToken(name),
  byBrowser(await createMember(kiroku, name), [download, ...(await feedOf(kiroku, name))]),
]

const readers: Readonly<Record<Role, readonly Reader[]>> = {
  owner: await byAll('owner'),
  follower: await byAll('follower'),
  stranger: await byAll('stranger'),
  blocked: await byAll('blocked'),
  muter: await byAll('muter'),
  boss: await byAll('boss'),
  application: [await byToken('stranger', true)],
  visitor: [byBrowser(createVisitor(kiroku), [])],
}

interface Reading {
  /** A digest of each answer, by what was asked. */
  readonly answers: ReadonlyMap<string, string>
  /** Which texts of `owner` stand somewhere in them. */
  readonly found: readonly string[]
}

async function read(role: Role): Promise<Reading> {
  const answers = new Map<string, string>()
  const found = new Set<string>()
  for (const { asks, ask } of readers[role])
    for (const one of asks) {
      const answer = await ask(one)
      expect([role, one.target, answer.startsWith('5')]).toEqual([role, one.target, false])
      for (const text of texts) if (answer.includes(text)) found.add(text)
      const key = `${one.method} ${one.target} ${JSON.stringify(one.body ?? '').slice(0, 80)}`
      answers.set(key, String(Bun.hash(lasting(answer))))
    }
  return { answers, found: [...found].toSorted() }
}

/**
 * Without tokens of forms, challenges and the numbers of errors, which differ each time, and how many follow somebody, which is
 * counted whatever the profiles say (D74).
 */
const lasting = (answer: string) =>
  answer.replaceAll(
    /name="form_id" value="[^"]*"|id="reference">[^<]*|[\w-]{43,}|"(?:User_followersC|followers_c)ount":\d+/g,
    '',
  )

async function readAll<R extends Role>(roles: readonly R[]): Promise<Readonly<Record<R, Reading>>> {
  const readings: [R, Reading][] = []
  for (const role of roles) readings.push([role, await read(role)])
  return Object.fromEntries(readings) as Record<R, Reading>
}

/** What was answered otherwise, but for what administrators are there to see. */
const differing = (one: Reading, other: Reading) =>
  [...one.answers].flatMap(([request, answer]) =>
    other.answers.get(request) === answer || request.includes(' /admin') ? [] : [request],
  )

/** What was put into letters and messages to others since the last call. */
async function sent(): Promise<string[]> {
  const letters: string[] = []
  const mail = createMail(async ({ to, text }) => void letters.push(`${to} ${text}`), deps.log)
  handle.run('update users set digest_at = 1, digest_told = 0')
  await sendDigests({ ...deps, mail })
  await mail.idle()
  await collectNews(deps)
  const items = handle.query<{ items: string }, [number]>('select items from outgoing where user_id > ?')
  const told = items.all(9).map((row) => row.items)
  handle.run('delete from outgoing where user_id > 9 and id <> 7001')
  return [...letters, ...told].filter((text) => !/LEAK-own-outgoing|^owner@/.test(text))
}

const changeTo = (privacy: 'public' | 'members' | 'private') =>
  deps.write((tx) => changePrivacy(tx, ids.owner, { change: { privacy }, now: deps.now() }))

/** Moves rows as far as some writes go, and stops as a kill would. */
async function moveAndKill(writes: number): Promise<void> {
  let left = writes
  const write: typeof deps.write = async (change) => {
    left -= 1
    if (left < 0) throw new Error('killed')
    return await deps.write(change)
  }
  await expect(finishMove({ read: deps.read, write }, ids.owner)).rejects.toThrow('killed')
}

const shared = sharedTexts.toSorted()
const without = (...names: string[]) => shared.filter((text) => !names.some((name) => text.endsWith(name)))

/** What the others find of a public profile, whatever its owner keeps to themselves (D72). */
const foundOfPublic: Readonly<Record<(typeof others)[number], readonly string[]>> = {
  follower: shared,
  stranger: shared,
  muter: shared,
  boss: shared,
  // Years and dates are on pages only.
  application: without('year', 'meeting', 'meeting-place'),
  visitor: without('meeting', 'meeting-place'),
  // The feed of a public profile is the same for whoever asks.
  blocked: ['LEAK-shared-review'],
}

const toAdministrators = ['LEAK-own-invitation', 'LEAK-own-moderation', 'LEAK-own-report', ...reportTexts]

const expectFound = (
  readings: Readonly<Record<string, Reading>>,
  expected: Readonly<Record<string, readonly string[]>>,
) => {
  const found = Object.entries(readings).map(([role, reading]) => [role, reading.found])
  expect(Object.fromEntries(found)).toEqual(expected)
}

test('what somebody keeps to themselves changes nothing that others are answered, at any level and between two (D72–D78)', async () => {
  for (const id of [ids.follower, ids.stranger, ids.blocked, ids.muter, ids.boss])
    handle.run(
      `insert into destinations (user_id, kind, url, host, events, created_at)
       values (?, 'ntfy', 'https://ntfy.example/x', 'ntfy.example', 'notification', 1)`,
      [id],
    )
  handle.run("update users set digest = 'like,comment,follow,meeting', digest_at = 1 where id > 9")
  await changeTo('private')
  await finishMove(deps, ids.owner)
  const empty = await readAll(outsiders)
  expectFound(empty, Object.fromEntries(outsiders.map((role) => [role, []])))

  await changeTo('public')
  await finishMove(deps, ids.owner)
  await writeShared(kiroku)
  const before = await readAll(others)
  expectFound(before, foundOfPublic)
  expect(await sent()).toEqual([])

  await changeTo('members')
  // Lists and shared years say by themselves whether visitors read them.
  const saidPublic = ['list', 'list-note', 'list-text', 'year'].map((name) => `LEAK-shared-${name}`)
  expect((await read('visitor')).found).toEqual(saidPublic)
  await changeTo('public')

  await writeOwn(kiroku)
  const own = await read('owner')
  expect(own.found).toEqual([...shared, ...ownTexts].toSorted())
  const beside = await readAll(others)
  const foundBeside = { ...foundOfPublic, boss: [...shared, ...toAdministrators].toSorted() }
  expectFound(beside, foundBeside)
  for (const role of others) expect([role, differing(before[role], beside[role])]).toEqual([role, []])
  expect(await sent()).toEqual([])

  // From the commit on, with nothing moved, with something, and with all of it.
  const foundOfPrivate = {
    ...Object.fromEntries(outsiders.map((role) => [role, []])),
    follower: shared,
    boss: toAdministrators.toSorted(),
  }
  const some = ['follower', 'stranger', 'blocked', 'visitor'] as const
  const foundOfMoving = { follower: shared, stranger: [], blocked: [], visitor: [] }
  await changeTo('private')
  expectFound(await readAll(some), foundOfMoving)
  await moveAndKill(2)
  expectFound(await readAll(some), foundOfMoving)
  await finishMove(deps, ids.owner)
  const closed = await readAll(others)
  expectFound(closed, foundOfPrivate)
  for (const role of outsiders) expect([role, differing(empty[role], closed[role])]).toEqual([role, []])
  expect(await sent()).toEqual([])

  await changeTo('public')
  await moveAndKill(2)
  const opening = await readAll(['blocked', 'stranger', 'visitor'])
  for (const { found } of Object.values(opening))
    expect(found.filter((text) => !shared.includes(text))).toEqual([])
  await finishMove(deps, ids.owner)
  const again = await readAll(others)
  for (const role of others) expect([role, differing(beside[role], again[role])]).toEqual([role, []])
  expect(differing(own, await read('owner'))).toEqual([])
  expect(texts.filter((text) => JSON.stringify(lines).includes(text))).toEqual([])
}, 300_000)
