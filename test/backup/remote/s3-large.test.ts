import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { realWorld } from '../../../src/backup/remote/s3-settings'
import { temporaryDirectory } from '../../support/kiroku'
import { startS3 } from '../../support/s3'

test('a file of 109 MB is uploaded and downloaded within 250 MB of memory', async () => {
  using directory = temporaryDirectory()
  const file = directory.file('backup')
  const out = Bun.file(file).writer()
  for (let part = 0; part < 13; part += 1) {
    const random = crypto.getRandomValues(new Uint8Array(65_536))
    for (let times = 0; times < 128; times += 1) out.write(random)
    await out.flush()
  }
  await out.end()
  await using s3 = await startS3(directory.file('s3'))
  const script = join(import.meta.dir, '../../support/put-backup.ts')
  const words = ['kiroku-20260401T120000Z.tar.zst', file, String(realWorld.partBytes), directory.file('back')]
  const child = Bun.spawn([process.execPath, script, JSON.stringify(s3.settings), ...words], {
    env: process.env,
  })
  const most = Number(await child.stdout.text())
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThan(250 * 1024)
  expect(Bun.spawnSync(['cmp', file, directory.file('back')]).exitCode).toBe(0)
  expect(s3.requests().filter((line) => line.startsWith('PUT'))).toHaveLength(13)
})
