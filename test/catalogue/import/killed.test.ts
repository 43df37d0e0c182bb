import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { cpSync } from 'node:fs'
import { seeded } from '../../../bench/random'
import { episode, header, textOf, work } from '../../support/catalogue-store'
import { output } from '../../support/in-process'
import { type Directory, spawn, startServer, temporaryDirectory } from '../../support/kiroku'
import { preparedDirectory } from '../../support/prepared-directory'
import { until } from '../../support/until'

const kills = Number(process.env.KIROKU_TEST_KILLS ?? 2)
const many = Array.from({ length: 300 }, (_, n) => n + 1)
const key = (n: number) => `annict:${n}`

const before = textOf(header('pack'), [
  ...many.map((n) => work(key(n), { aliases: [`alias ${n}`], episodes_estimate: n % 3 })),
  ...many.map((n) => ({ type: 'person', key: key(n), name: `Person ${n}` })),
])
const after = textOf(header('pack'), [
  ...many.map((n) => episode(key(n * 10), key(n), 1, { title: `Episode of ${n}` })),
  ...many.map((n) => work(key(n), { title: `Changed ${n}`, aliases: [`other ${n}`] })),
  ...many.map((n) => ({ type: 'staff', work: key(n), person: key(n), role: 'music' })),
  ...many.filter((n) => n % 50 === 0).map((n) => ({ type: 'work', key: key(n), merged_into: key(n - 1) })),
])

const tables = [
  ...['works', 'episodes', 'people', 'staffs', 'work_aliases', 'external_ids', 'import_rows', 'redirects'],
  'imports',
]

/** All of the catalogue except versions, which only have to increase. */
function contentOf(directory: Directory, among = tables): string {
  const handle = opened(directory)
  try {
    const rows = among.map((table) =>
      handle.query<Record<string, unknown>, []>(`select * from ${table}`).all(),
    )
    return JSON.stringify(rows, (name, value) => (name === 'version' ? undefined : value))
  } finally {
    handle.close()
  }
}

/** Waits while another process recovers the log after a kill. */
function opened({ file }: Directory): Database {
  const handle = new Database(file('data/kiroku.db'), { readonly: true })
  handle.run('pragma busy_timeout = 60000')
  return handle
}

const isPending = (directory: Directory) => {
  const handle = opened(directory)
  const found = handle.query('select 1 from imports').all().length > 0
  handle.close()
  return found
}

const importing = (directory: Directory) => spawn(directory, ['catalogue', 'import', '-'], { input: after })

/** Kills an import some time after it has started to be applied. */
async function killImport(directory: Directory, later: number): Promise<void> {
  const child = importing(directory)
  await until(() => child.exitCode !== null || isPending(directory))
  await Bun.sleep(later)
  child.kill('SIGKILL')
  await child.exited
}

test(
  `promise 11: an import killed at any of ${kills} moments resumes with the next start or the same command`,
  async () => {
    using original = await preparedDirectory()
    await output(original, ['catalogue', 'import', '-'], { input: before })
    using whole = temporaryDirectory()
    cpSync(original.file('data'), whole.file('data'), { recursive: true })
    await output(whole, ['catalogue', 'import', '-'], { input: after })
    const expected = contentOf(whole)
    const random = seeded(11)
    let resumed = 0
    for (let kill = 0; kill < kills; kill++) {
      using directory = temporaryDirectory()
      cpSync(original.file('data'), directory.file('data'), { recursive: true })
      await killImport(directory, random(50))
      if (isPending(directory)) resumed++
      if (isPending(directory) && kill % 2 === 0) {
        await using server = await startServer(directory)
        await until(() => !isPending(directory))
        await server.end('SIGTERM')
      } else await output(directory, ['catalogue', 'import', '-'], { input: after })
      expect(contentOf(directory) === expected).toBe(true)
      // The file's temporary blocks are cleared after the import has ended.
      await output(directory, ['catalogue', 'import', '-'], { input: after })
      expect(contentOf(directory) === expected).toBe(true)
      expect(contentOf(directory, ['import_blocks'])).toBe('[[]]')
      expect(await output(directory, ['check', '--deep'])).toBe('ok\n')
    }
    expect(resumed).toBeGreaterThan(0)
  },
  60_000 + kills * 60_000,
)
