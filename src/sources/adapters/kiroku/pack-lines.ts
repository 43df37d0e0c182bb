import { fileLines, TooLarge, Unreadable } from '../../../catalogue/import/file/file-lines'
import { fileLimits } from '../../../catalogue/import/file/limits'
import { decoded } from '../../../catalogue/import/line-taker'
import { hasOwnPriority } from '../../../catalogue/import/source'
import { type AnswerBody, type CatalogueLine, ShapeError } from '../../source'

/** The lines of packs as they are, header first. Throws a `ShapeError` for what is no catalogue. */
export async function* packLines(packs: readonly AnswerBody[]): AsyncGenerator<CatalogueLine> {
  for (const pack of packs) {
    let number = 0
    for await (const bytes of linesOf(pack)) {
      number += 1
      if (bytes?.length === 0) continue
      const line = lineOf(bytes, number)
      if (number === 1) refuseHeader(line)
      yield line
    }
  }
}

async function* linesOf(pack: AnswerBody): AsyncGenerator<Uint8Array | undefined> {
  try {
    for await (const lines of fileLines(pack.stream(), { ...fileLimits, bytes: maxUnpacked })) yield* lines
  } catch (cause) {
    if (cause instanceof TooLarge || cause instanceof Unreadable)
      throw new ShapeError('the pack:', cause.message)
    throw cause
  }
}

const maxUnpacked = 128 * 2 ** 20

const decoder = new TextDecoder('utf-8', { fatal: true })

function lineOf(bytes: Uint8Array | undefined, number: number): CatalogueLine {
  const value = bytes && parsed(decoded(decoder, bytes))
  if (isLine(value)) return value
  throw new ShapeError(`the pack, line ${number},`, 'is no line of a catalogue')
}

function parsed(text = ''): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isLine = (value: unknown): value is CatalogueLine =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** A pack may not pass for another source, whose values would then weigh more or less than a pack's. */
function refuseHeader({ type, name }: CatalogueLine): void {
  if (type !== 'catalogue' || typeof name !== 'string')
    throw new ShapeError('the pack', 'does not begin with the line of a catalogue')
  if (hasOwnPriority(name) && name !== 'bangumi-data')
    throw new ShapeError('the pack', `has the name ${name}, which is that of another source`)
}
