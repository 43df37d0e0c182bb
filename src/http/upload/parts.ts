import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { ApiError, invalidParams, payloadTooLarge } from '../errors'
import { addValue, type RawValues } from '../request-values'

interface Parts {
  take(pieces: AsyncIterable<Uint8Array>): Promise<void>
  /** Call it after the body has ended. `name` is undefined if there was no file. */
  received(): Promise<{ readonly values: RawValues; readonly name: string | undefined }>
  settled(): Promise<unknown>
}

interface PartsRules {
  readonly handle: FileHandle
  readonly maxBytes: number
  /** Aborted, with the reason, when the rest of the body is not needed. */
  readonly stop: AbortController
}

/** Throws invalid_params unless the content type is multipart. */
export function createParts(contentType: string, rules: PartsRules): Parts {
  const { stop } = rules
  const parser = parserOf(contentType)
  const values: RawValues = new Map()
  let name: string | undefined
  let saved: Promise<void> = Promise.resolve()
  const attempt = (act: () => void) => {
    try {
      act()
    } catch (cause) {
      stop.abort(cause)
    }
  }
  // The parser also reports whatever ended the body.
  parser.on('error', (cause) => stop.abort(cause instanceof ApiError ? cause : malformed()))
  parser.on('field', (field: string | undefined, value, _, isCut) =>
    attempt(() => addField(values, { field, value, isCut })),
  )
  parser.on('file', (_, file, sentName) => {
    name = shownName(sentName)
    saved = save(file, rules)
    saved.catch((cause) => stop.abort(cause))
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => stop.abort(invalidParams(`At most ${most[limit]} may be sent.`)))
  const take = (pieces: AsyncIterable<Uint8Array>) =>
    pipeline(Readable.from(pieces), parser, { signal: stop.signal })
  const received = async () => {
    await saved
    stop.signal.throwIfAborted()
    return { values, name }
  }
  return { take, received, settled: () => saved.catch(() => {}) }
}

const KiB = 1024

const most = { filesLimit: 'one file', fieldsLimit: '100 values', partsLimit: '101 parts' }

function parserOf(contentType: string): BusboyInstance {
  if (!/^multipart\/form-data\b/i.test(contentType))
    throw invalidParams('The body must be multipart/form-data.')
  try {
    const limits = {
      files: 1,
      fields: 100,
      parts: 101,
      fieldSize: 64 * KiB,
      headerPairs: 20,
      headerSize: 16 * KiB,
    }
    return new Busboy({ headers: { 'content-type': contentType }, limits })
  } catch {
    throw malformed()
  }
}

const malformed = () => invalidParams('The multipart body is malformed.')

interface Field {
  readonly field: string | undefined
  readonly value: string
  readonly isCut: boolean
}

function addField(values: RawValues, { field, value, isCut }: Field): void {
  if (field === undefined) throw invalidParams('Each part of the body must have a name.')
  if (isCut) throw invalidParams('A value in the body may be at most 64 KiB.')
  addValue(values, field, value, { where: 'the body', repeats: false })
}

function shownName(sent: string | undefined): string {
  const clean = (sent ?? '').toWellFormed().replace(/[\p{Cc}\p{Cf}]/gu, '')
  return [...clean].slice(0, 200).join('').trim()
}

async function save(file: Readable, { handle, maxBytes, stop }: PartsRules): Promise<void> {
  let size = 0
  const write = async (pieces: AsyncIterable<Uint8Array>) => {
    for await (const piece of pieces) {
      size += piece.length
      if (size > maxBytes) throw payloadTooLarge(maxBytes)
      await handle.appendFile(piece)
    }
  }
  await pipeline(file, write, { signal: stop.signal })
}
