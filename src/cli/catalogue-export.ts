import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { exportCatalogue } from '../catalogue/export'
import { settings } from '../config'
import type { Call, Command } from './command'
import { withStore } from './open'

export const catalogueExport: Command = {
  name: 'catalogue export',
  summary: 'Writes the whole catalogue as JSONL, to a file or to standard output; an import takes it back.',
  operands: [{ name: 'FILE', optional: true }],
  options: [],
  examples: [
    'kiroku catalogue export catalogue.jsonl',
    'kiroku catalogue export | zstd > catalogue.jsonl.zst',
  ],
  run: (call) =>
    withStore(call.get(settings.data), async ({ handle }) => {
      const [path = '-'] = call.operands
      const chunks = inChunks(exportCatalogue(handle))
      if (path === '-') await printAll(call, chunks)
      else writeFile(path, chunks)
    }),
}

/** Lines as texts of about 64 KiB, each ending with a line break. */
function* inChunks(lines: Iterable<string>): Generator<string> {
  let chunk = ''
  for (const line of lines) {
    chunk += `${line}\n`
    if (chunk.length < 65_536) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

async function printAll(call: Call, chunks: Iterable<string>): Promise<void> {
  for (const chunk of chunks) await call.print(chunk)
}

/** The file has its name once it is whole and on disk. */
function writeFile(path: string, chunks: Iterable<string>): void {
  const partial = `${path}.partial`
  const file = openSync(partial, 'w', 0o600)
  try {
    for (const chunk of chunks) writeSync(file, chunk)
    fsyncSync(file)
    renameSync(partial, path)
  } finally {
    closeSync(file)
    rmSync(partial, { force: true })
  }
}
