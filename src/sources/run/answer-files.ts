import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { AnswerBody } from '../source'

export interface AnswerNumber {
  readonly run: number
  readonly number: number
}

/** Answers as they were received, compressed: `data/catalogue-answers/<run>-<number>.zst`. */
export class AnswerFiles {
  readonly #directory: string

  constructor(data: string) {
    this.#directory = join(data, 'catalogue-answers')
  }

  /** Writes the whole file or none. Returns its size in bytes. */
  async keep(place: AnswerNumber, content: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<number> {
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
    const path = this.#path(place)
    const partial = `${path}.partial`
    const file = await open(partial, 'w', 0o600)
    try {
      for await (const chunk of content.pipeThrough(new CompressionStream('zstd')))
        await file.writeFile(chunk)
      await file.sync()
    } finally {
      await file.close()
    }
    renameSync(partial, path)
    return statSync(path).size
  }

  copy(from: AnswerNumber, to: AnswerNumber): number {
    copyFileSync(this.#path(from), this.#path(to))
    return statSync(this.#path(to)).size
  }

  has(place: AnswerNumber): boolean {
    return existsSync(this.#path(place))
  }

  body(place: AnswerNumber): AnswerBody {
    const file = Bun.file(this.#path(place))
    const stream = () => file.stream().pipeThrough(new DecompressionStream('zstd'))
    return {
      stream,
      text: () => new Response(stream()).text(),
    }
  }

  deleteOthers(kept: readonly AnswerNumber[]): void {
    const names = new Set(kept.map(nameOf))
    if (!existsSync(this.#directory)) return
    for (const name of readdirSync(this.#directory)) {
      if (!names.has(name)) rmSync(join(this.#directory, name), { force: true })
    }
  }

  #path(place: AnswerNumber): string {
    return join(this.#directory, nameOf(place))
  }
}

const nameOf = ({ run, number }: AnswerNumber) => `${run}-${number}.zst`
