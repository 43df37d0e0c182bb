import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Failure } from '../lib/failure'

/** Reads it from standard input, without the final line break, or twice at the terminal. Throws a `usage` failure. */
export async function readPassword(fromInput: boolean): Promise<string> {
  if (fromInput) return decode(await Bun.stdin.bytes()).replace(/\r?\n$/, '')
  if (!process.stdin.isTTY) {
    throw new Failure(
      'usage',
      '--password-stdin is missing, and there is no terminal to prompt for the password',
    )
  }
  const password = await ask('Password: ')
  if ((await ask('Repeat it: ')) !== password) throw new Failure('usage', 'the two passwords differ')
  return password
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Failure('usage', 'the password is not valid UTF-8')
  }
}

/** Prompts on standard error, since standard output is for the command's answer; does not echo the reply. */
export async function ask(question: string): Promise<string> {
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
