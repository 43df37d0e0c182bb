import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { copyFileSync } from 'node:fs'
import { seeded } from '../../bench/random'
import { databasePath } from '../../src/db/open'
import { makeInstance } from '../support/backups'
import { output, spawn, startServer, temporaryDirectory } from '../support/kiroku'
import { Ledger } from '../support/ledger'
import { deskCatalogue, desksOf, foundIn } from '../support/ledger-desks'
import { Writer } from '../support/ledger-writer'
import { until } from '../support/until'

test('a backup contains every write acknowledged before it began; a plain copy of the file does not', async () => {
  using directory = temporaryDirectory()
  await output(directory, ['catalogue', 'import', '-'], { input: deskCatalogue })
  const [ledger, desks] = [new Ledger(), await desksOf(directory)]
  const writers = desks.map((desk, index) => new Writer(desk, ledger, seeded(index)))
  await using server = await startServer(directory, ['--rate-limit', 'off'])
  const stopped = new AbortController()
  const writing = writers.map((writer) => writer.write(server.url, stopped.signal))
  await until(() => ledger.acknowledged >= 100)

  const acknowledged = ledger.acknowledged
  const faultsOfCopy = ledger.beginCopy()
  copyFileSync(databasePath(directory.file('data')), directory.file('plain-copy.db'))
  const made = JSON.parse(await output(directory, ['backup', 'create', '--json']))
  const acknowledgedMeanwhile = ledger.acknowledged - acknowledged
  stopped.abort()
  await server.end('SIGKILL')
  await Promise.all(writing)

  await output(directory, ['backup', 'restore', `data/backups/${made.name}`, '--data', 'restored'])
  expect(await output(directory, ['check', '--deep', '--data', 'restored'])).toBe('ok\n')
  expect(faultsOfCopy(foundIn(databasePath(directory.file('restored'))))).toEqual([])
  expect(acknowledgedMeanwhile).toBeGreaterThan(0)
  const missed = faultsOfCopy(foundIn(directory.file('plain-copy.db'))).length
  console.log(
    `${acknowledged} acknowledged before, ${acknowledgedMeanwhile} meanwhile; the plain copy misses ${missed}`,
  )
  expect(missed).toBeGreaterThan(0)
})

test('promise 11: a backup holds no lock that a writer would wait for', async () => {
  using directory = temporaryDirectory()
  await makeInstance(directory)
  using writer = new Database(databasePath(directory.file('data')))
  // Anything that would have to wait fails at once.
  writer.run('pragma busy_timeout = 0')
  const child = spawn(directory, ['backup', 'create'])
  let commits = 0
  for (; child.exitCode === null; commits++, await new Promise(setImmediate))
    writer.run("insert or replace into instance (name, value) values ('turn', ?)", [String(commits)])
  expect([await child.exited, commits > 10]).toEqual([0, true])
})
