import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Directory, output, temporaryDirectory } from './kiroku'

interface MadeFile {
  readonly name: string
  readonly mode: number
  readonly content: Uint8Array
}

const made = new Map<string, Promise<readonly MadeFile[]>>()

/** Makes users on the command line in a new data directory: once in a process for the same names, then copied. */
export async function withUsers(directory: Directory, ...names: string[]): Promise<void> {
  const key = names.join(' ')
  const files = made.get(key) ?? make(names)
  made.set(key, files)
  mkdirSync(directory.file('data'), { mode: 0o700 })
  for (const { name, mode, content } of await files)
    writeFileSync(join(directory.file('data'), name), content, { mode })
}

async function make(names: readonly string[]): Promise<readonly MadeFile[]> {
  using directory = temporaryDirectory()
  for (const name of names)
    await output(directory, ['user', 'create', name, '--email', `${name}@example.com`, '--password-stdin'], {
      input: 'correct horse\n',
    })
  const data = directory.file('data')
  return readdirSync(data).map((name) => {
    const path = join(data, name)
    return { name, mode: statSync(path).mode, content: readFileSync(path) }
  })
}
