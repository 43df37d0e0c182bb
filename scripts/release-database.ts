import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { createToken } from '../src/accounts/token'
import { importCatalogue } from '../src/catalogue/import/import-catalogue'
import { migrationState } from '../src/db/migrate'
import { openStore, type Store } from '../src/db/open'
import { recordEpisode, recordUpTo } from '../src/library/acts/record-acts'
import { chooseStatus, startLap, writeNote } from '../src/library/acts/work-acts'
import { version } from '../src/version'
import { bytesOf, now, textOf, work } from '../test/support/catalogue-store'
import { openCopy } from '../test/support/database-copy'
import { demo } from '../test/support/demo-instance'
import { deeds, perform } from '../test/support/member-rows'
import { releasedFolder, tokenOfReleased } from '../test/support/released'
import { seedLibrary } from '../test/support/seed-library'

/**
 * Stores a database of this version with a community in it, and the digests of its migrations. From then on
 * these migrations must not change, and tests upgrade the database to each later version.
 */
async function keepDatabase(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'kiroku-release-'))
  try {
    const store = openStore(directory, await openCopy(directory, seedLibrary))
    demo(store.handle, { users: 20, records: 600, force: true })
    await addCatalogue(store)
    await addActs(store)
    for (const sql of rareRows) store.handle.run(sql)
    await keep(store, join(directory, 'copy.db'))
    await store.close()
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Adds what the demo leaves out: acts that can be undone, and a row of everything else that users own. */
async function addActs({ handle, read, write, warmRead, wallClock }: Store): Promise<void> {
  const deps = { write, warmRead, wallClock, now: () => now }
  const { id: userId } = await read.selectFrom('users').select('id').orderBy('id').executeTakeFirstOrThrow()
  const { id: episodeId, work_id: workId } = await read
    .selectFrom('episodes')
    .select(['id', 'work_id'])
    .where('sort_number', '=', 30)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  await chooseStatus(deps, userId, { workId, kind: 'watching', startedOn: '2016-03' })
  await recordUpTo(deps, userId, { episodeId })
  await recordEpisode(deps, userId, { episodeId, comment: 'もう一度見た' })
  await writeNote(deps, userId, { workId, text: '内緒' })
  await startLap(deps, userId, { workId })
  for (const deed of fc.sample(deeds(), { numRuns: 40, seed: 1 }).flat()) perform(handle, deed)
  await createToken(
    { write, now: deps.now, random: tokenOfReleased },
    { userId, description: 'kept', scope: 'read write' },
  )
}

/** Adds a catalogue of the user's own, with two works that were later merged. */
async function addCatalogue(store: Store): Promise<void> {
  await load(store, [
    { type: 'channel_group', key: 'g:1', name: 'BS' },
    { type: 'series', key: 's:1', name: '極光' },
    work('w:1', {
      ids: { mal: 99901 },
      aliases: ['Aurora'],
      search_names: ['Aurora no Tabi'],
      streams: [{ site: 'netflix', id: '80' }],
      series: ['s:1'],
    }),
    work('w:2', { series: ['s:1'] }),
  ])
  await load(store, [work('w:2', { merged_into: 'w:1' })])
}

async function load(store: Store, rows: readonly object[]): Promise<void> {
  const { problems } = await importCatalogue(store, bytesOf(textOf('mine', rows)), { now })
  if (problems[0] !== undefined) throw new Error(problems[0].message)
}

/** Rows in tables that neither the demo nor the deeds fill. */
const rareRows = [
  'delete from activities where id = (select max(id) from activities)',
  'insert into client_secrets (application_id, secret_hash, created_at) select id, randomblob(32), 1 from applications',
  'insert into second_factors (user_id, secret, confirmed_at) values (2, randomblob(20), 1)',
  'insert into recovery_codes (user_id, code_hash) values (2, randomblob(32))',
  'insert into devices (user_id, device_hash, last_used_at) values (2, randomblob(32), 1)',
  "insert into throttles (key, failures, last_failed_at) values ('account:2', 3, 1)",
  "insert into cover_fetches (work_id, asked_at, outcome) values (1, 1, 'none')",
  "insert into fetched_documents (url, etag, fetched_at) values ('https://hoshi.example/', '1', 1)",
]

async function keep({ handle }: Store, copy: string): Promise<void> {
  handle.run('vacuum into ?', [copy])
  mkdirSync(releasedFolder, { recursive: true })
  const packed = Bun.zstdCompressSync(readFileSync(copy), { level: 19 })
  await Bun.write(join(releasedFolder, `${version}.db.zst`), packed)
  const { applied } = migrationState(handle)
  const digests = Object.fromEntries(applied.map(({ name, sha256 }) => [name, sha256]))
  await Bun.write(join(releasedFolder, `${version}.json`), `${JSON.stringify(digests, null, 2)}\n`)
}

await keepDatabase()
