import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packLines } from './pack'
import type { Recorder } from './recorder'

export const password = 'correct horse battery staple'

/** `mio` is an administrator. */
export const usernames = ['mio', 'ritsu', 'azusa', 'yui', 'mugi', 'nodoka']

export interface Client {
  readonly client_id: string
  readonly client_secret?: string
}

export async function seedByCommands(recorder: Recorder): Promise<void> {
  recorder.begin('seed')
  writeFileSync(join(recorder.instance.folder, 'pack.jsonl'), packLines())
  await recorder.run(['catalogue', 'import', 'pack.jsonl'])
  for (const name of usernames) {
    const flags = [
      '--email',
      `${name}@example.com`,
      '--password-stdin',
      ...(name === 'mio' ? ['--admin'] : []),
    ]
    await recorder.run(['user', 'create', name, ...flags], { stdin: `${password}\n` })
    await makeToken(recorder, name, name, 'read write')
  }
  await makeToken(recorder, 'mio-read', 'mio', 'read')
  await makeToken(recorder, 'mio-write', 'mio', 'write')
  await makeToken(recorder, 'mio-over', 'mio', 'read', ['--expires-in', '1s'])
  recorder.instance.clock.advance(60)
}

async function makeToken(
  recorder: Recorder,
  as: string,
  user: string,
  scope: string,
  rest: readonly string[] = [],
) {
  const words = ['token', 'create', user, '--description', `answers ${as}`, '--scope', scope, ...rest]
  const { stdout } = await recorder.run(words)
  recorder.tokens.set(as, stdout.trim())
}

export async function makeClient(
  recorder: Recorder,
  name: string,
  flags: readonly string[],
): Promise<Client> {
  const { stdout } = await recorder.run(['app', 'create', 'ritsu', '--name', name, ...flags])
  const client: Client = JSON.parse(stdout)
  recorder.masks.learn(client.client_id, `<client ${name}>`)
  return client
}
