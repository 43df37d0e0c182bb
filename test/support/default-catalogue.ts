import { chmodSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Directory, type Ended, startServer, temporaryDirectory } from './kiroku'
import { madeOnce } from './made-once'

/** The default catalogue, left by a build. */
export const packPath = join(import.meta.dir, '../../dist/catalogue-default.jsonl.zst')
export const isBuilt = existsSync(packPath)

/** The data directory of a first start, to be copied: loading the default catalogue takes seconds. */
export const defaultCatalogue = () => madeOnce('default-catalogue', start)

/** How that first start ended. */
export const firstStart = async (): Promise<Ended> =>
  JSON.parse(readFileSync(endPath(await defaultCatalogue()), 'utf8'))

/** Creates the default data directory, as that first start left it. */
export async function fillWithDefaultCatalogue({ file }: Directory): Promise<void> {
  cpSync(await defaultCatalogue(), file('data'), { recursive: true })
  chmodSync(file('data'), 0o700)
}

/** Makes these lines the default catalogue that this process loads, whatever its hash, until disposed of. */
export function withPack(lines: string): Disposable {
  const pack = new Uint8Array(Bun.zstdCompressSync(lines))
  const { file } = Bun
  Object.assign(Bun, { file: (path: string) => (path === packPath ? new Blob([pack]) : file(path)) })
  return { [Symbol.dispose]: () => void Object.assign(Bun, { file }) }
}

const endPath = (directory: string) => join(directory, 'first-start.json')

async function start(path: string): Promise<void> {
  using directory = temporaryDirectory()
  await using server = await startServer(directory, [], { catalogue: true })
  const ended = await server.end('SIGTERM')
  cpSync(directory.file('data'), path, { recursive: true })
  writeFileSync(endPath(path), JSON.stringify(ended))
}
