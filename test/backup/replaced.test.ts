import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { run, temporaryDirectory } from '../support/kiroku'

test('what restores replaced is listed with the backups, with its size and the command to delete it', async () => {
  using directory = temporaryDirectory()
  for (const [name, bytes] of [
    ['before-restore-20260401T120000Z', 2_000_000],
    ['before-restore-20260501T120000Z', 3_000_000],
    ['before-restore-notes', 4_000_000],
  ] as const) {
    mkdirSync(directory.file(`data/${name}/images`), { recursive: true })
    writeFileSync(directory.file(`data/${name}/images/x`), new Uint8Array(bytes / 2))
    writeFileSync(directory.file(`data/${name}/kiroku.db`), new Uint8Array(bytes / 2))
  }
  const { stdout, stderr } = await run(directory, ['backup', 'list', '--json'])
  expect(stdout).toBe('[]\n')
  expect(stderr.split('\n').slice(1, -1)).toEqual([
    '  rm -r data/before-restore-20260501T120000Z   (3.0 MB)',
    '  rm -r data/before-restore-20260401T120000Z   (2.0 MB)',
  ])
})
