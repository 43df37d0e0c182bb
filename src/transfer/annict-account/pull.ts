import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { internet, type Outside } from '../../fetching/outside'
import type { HostPace } from '../../fetching/pace'
import { isLoopback } from '../../lib/network'
import { limits } from '../file/limits'
import type { AccountRequests } from './ask'
import { pagesOf } from './pages'
import { connections } from './queries'
import { AccountRefused } from './refused'

export interface PullTools {
  /** For the file. Owned by the caller, who removes it. */
  readonly folder: string
  readonly annictUrl: string
  /** Contains the address of this instance. */
  readonly userAgent: string
  readonly pace: HostPace
  readonly outside?: Outside
  readonly answerMs?: number
}

/**
 * Requests the library, records and reviews of an Annict account, two requests a second of all pulls, and writes the answers to a file
 * for the reader `annict`. The token is sent only to `annictUrl`, and neither stored nor logged. Throws an
 * `AccountRefused` and leaves no file; rejects with the reason of `signal` if that is aborted.
 */
export async function pullAnnict(
  tools: PullTools,
  { token, signal }: { readonly token: string; readonly signal: AbortSignal },
): Promise<{ readonly path: string; readonly name: string }> {
  if (!/^[\w.~+/=-]{1,500}$/.test(token)) throw new AccountRefused('wrong_token')
  const { folder, annictUrl, userAgent, pace, outside = outsideFor(annictUrl), answerMs = 20_000 } = tools
  const path = join(folder, `annict-${crypto.randomUUID()}.json`)
  try {
    await using file = await open(path, 'wx', 0o600)
    await writeAnswers(file, { outside, annictUrl, userAgent, token, signal, pace, answerMs })
    return { path, name: 'annict.json' }
  } catch (cause) {
    await rm(path, { force: true })
    throw cause
  }
}

/** Whoever starts kiroku may name a server on this machine; any other must have a public address. */
function outsideFor(annictUrl: string): Outside {
  const { hostname } = new URL(annictUrl)
  return isLoopback(hostname) ? { ...internet, mayReach: () => true } : internet
}

async function writeAnswers(file: FileHandle, asking: AccountRequests): Promise<void> {
  const counted = { pages: 0 }
  let size = 0
  const write = async (text: string): Promise<void> => {
    size += Buffer.byteLength(text)
    if (size > limits.upload) throw new AccountRefused('too_large')
    await file.appendFile(text)
  }
  for (const [index, connection] of connections.entries()) {
    await write(`${index === 0 ? '{' : ',\n'}"${connection.name}": [`)
    let separator = '\n'
    for await (const items of pagesOf(asking, connection, counted))
      for (const item of items) {
        await write(`${separator}${JSON.stringify(item)}`)
        separator = ',\n'
      }
    await write('\n]')
  }
  await write('}\n')
}
