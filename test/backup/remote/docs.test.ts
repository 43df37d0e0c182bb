import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settings } from '../../../src/config'
import { backUp, makeInstance } from '../../support/backups'
import { run } from '../../support/in-process'
import { temporaryDirectory } from '../../support/kiroku'
import { type S3Server, startS3 } from '../../support/s3'

const text = readFileSync(join(import.meta.dir, '../../../docs/backups-s3.md'), 'utf8')
const commands = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
  block.split('\n').filter((line) => line !== ''),
)
const directory = temporaryDirectory()
let s3: S3Server
beforeAll(async () => {
  s3 = await startS3(directory.file('s3'))
  await makeInstance(directory)
  await backUp(directory)
  writeFileSync(directory.file('passphrase'), 'correct horse battery staple\n')
})
afterAll(async () => {
  await s3[Symbol.asyncDispose]()
  directory[Symbol.dispose]()
})

test.each(commands)('docs/backups-s3.md: %s', async (command) => {
  const env = {
    KIROKU_BACKUP_TO: 's3://backups/kiroku',
    KIROKU_S3_ENDPOINT: s3.settings.endpoint,
    KIROKU_S3_ACCESS_KEY_ID: 'S3RVER',
    KIROKU_S3_SECRET_ACCESS_KEY: 'S3RVER',
  }
  const { code, stderr } = await run(directory, command.split(' ').slice(1), { env })
  expect([code, stderr]).toEqual([0, ''])
})

test('its example kiroku.toml is accepted, and its variables exist', () => {
  const [, toml = ''] = /```toml\n([\s\S]*?)```/.exec(text) ?? []
  const names = new Set(Object.values(settings).map(({ name }) => name))
  expect(Object.keys(Bun.TOML.parse(toml)).filter((key) => !names.has(key))).toEqual([])
  const variables = new Set([...names].map((name) => `KIROKU_${name.toUpperCase().replaceAll('-', '_')}`))
  const named = [...text.matchAll(/KIROKU_[A-Z0-9_]+/g)].map(([name]) => name.replace(/_FILE$/, ''))
  expect(named.filter((name) => !variables.has(name))).toEqual([])
})
