import type { Message } from '../messages/languages'
import { InvalidValue } from '../values/value'
import { type BodyInFlight, receiveBody, type Sender, smallBody } from './bodies-in-flight'
import type { Bytes } from './bytes'
import { ApiError, invalidParams, payloadTooLarge } from './errors'
import { multipartFields, multipartWithFiles } from './multipart'

/** Values by name: the text as sent, or the reason why it is not text. */
export type RawValues = Map<string, string | NotText>

/** A JSON array or object, a file, or a repeated value, with its `texts`. */
export class NotText extends InvalidValue {
  constructor(
    rule: Message,
    /** A JSON array of integers as a comma-separated list, for id lists (D6). */
    readonly list?: string,
    /** A JSON object, for an endpoint that takes one. */
    readonly object?: object,
    readonly texts?: readonly string[],
  ) {
    super(rule)
  }
}

/** For showing a form again: '' if missing or not text. */
export const textOrBlank = (values: RawValues, name: string, value = values.get(name)): string =>
  typeof value === 'string' ? value : ''

/** A file, if the form accepts one; elsewhere a file is a `NotText` without bytes. */
export class SentFile extends NotText {
  constructor(readonly bytes: Bytes) {
    super((t) => t.values.notFile)
  }
}

export interface BodyRules {
  readonly maxBytes: number
  readonly json: boolean
  /** Whether the last of repeated values wins; if not, the value becomes `NotText`. */
  readonly repeats: boolean
  readonly hint?: string
  /** Whether to keep the files of a multipart body. */
  readonly takesFiles?: true
}

/** Bodies of `/v1` with the access token sent outside the body (D6, D13). */
export const apiBody: BodyRules = { maxBytes: 256 * 1024, json: true, repeats: true }

/** Bodies that may contain the access token: until it is found, the sender is anonymous. */
export const anonymousApiBody: BodyRules = {
  ...apiBody,
  maxBytes: 64 * 1024,
  hint: 'With the access token in the Authorization header it may be 256 KiB.',
}

/** D6, D12. Bun has already replaced bytes of the URL that are not UTF-8 with U+FFFD, which counts as text. */
export function readQuery({ url }: Request, { repeats }: { readonly repeats: boolean }): RawValues {
  const sent: RawValues = new Map()
  const mark = url.indexOf('?')
  if (mark < 0) return sent
  addForm(sent, url.slice(mark + 1), { where: 'the query', repeats })
  return sent
}

export async function readBody(request: Request, rules: BodyRules, sender: Sender): Promise<RawValues> {
  const sent: RawValues = new Map()
  await addBody(sent, request, rules, sender)
  return sent
}

/** The body overrides what `sent` already holds (D6). */
export async function addBody(
  sent: RawValues,
  request: Request,
  rules: BodyRules,
  sender: Sender,
): Promise<void> {
  const bytes = await readBytes(request, rules, sender)
  if (bytes.length === 0) return
  const contentType = request.headers.get('content-type') ?? ''
  const place = { where: 'the body', repeats: rules.repeats }
  const type = mediaType(request)
  if (type === 'multipart/form-data' && rules.takesFiles) return addFiles(sent, bytes, contentType, place)
  const text = decodeUtf8(bytes)
  if (type === 'application/x-www-form-urlencoded') return addForm(sent, text, place)
  if (type === 'multipart/form-data') return addMultipart(sent, bytes, contentType, place)
  if (type === 'application/json' && rules.json) return addJson(sent, text, place)
  const forms = ['application/x-www-form-urlencoded', 'multipart/form-data']
  const kinds = (rules.json ? ['application/json', ...forms] : forms).join(' or ')
  throw invalidParams(type ? `The body must be ${kinds}.` : `The body needs a Content-Type header: ${kinds}.`)
}

/** Without its parameters. */
export const mediaType = ({ headers }: Request): string | undefined =>
  headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()

/**
 * Throws payload_too_large as soon as too much has arrived, whatever Content-Length says; invalid_params for a body
 * that arrives too slowly, and service_unavailable.
 */
export async function readBytes(
  request: Request,
  rules: BodyRules,
  sender: Sender,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = request.headers.get('content-length')
  if (length === '0' || request.body === null) return new Uint8Array()
  if (Number(length ?? 0) > rules.maxBytes) throw tooLarge(rules)
  const body = receiveBody(request, sender)
  // Bun enforces Content-Length; reading piece by piece takes several times as long.
  const isSmall = length !== null && Number(length) <= smallBody
  const bytes = isSmall ? request.arrayBuffer() : readPieces(request.body, rules, body)
  const read = new Uint8Array(await Promise.race([bytes, body.stopped]).catch(bodyAborted))
  if (read.length > rules.maxBytes) throw tooLarge(rules)
  body.whole()
  return read
}

const tooLarge = ({ maxBytes, hint }: BodyRules) => payloadTooLarge(maxBytes, hint)

/** The client hung up: no fault of the server, so not logged as one. */
function bodyAborted(cause: unknown): never {
  throw cause instanceof ApiError ? cause : invalidParams('The body is incomplete.')
}

async function readPieces(
  pieces: ReadableStream<Uint8Array>,
  rules: BodyRules,
  body: BodyInFlight,
): Promise<ArrayBuffer> {
  const read: Uint8Array[] = []
  for await (const piece of pieces) {
    body.arrived(piece.length)
    if (body.isStopped) break
    if (body.bytes > rules.maxBytes) throw tooLarge(rules)
    read.push(piece)
  }
  return Bun.concatArrayBuffers(read)
}

export interface ValueSource {
  readonly where: string
  readonly repeats: boolean
}

export function addForm(sent: RawValues, form: string, place: ValueSource): void {
  for (const pair of form.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = equals < 0 ? pair : pair.slice(0, equals)
    const value = equals < 0 ? '' : decodePart(pair.slice(equals + 1), place.where)
    addValue(sent, decodePart(name, place.where), value, place)
  }
}

function decodePart(part: string, where: string): string {
  if (!/[%+]/.test(part)) return part
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    throw invalidParams(`A percent-encoding in ${where} is malformed or not UTF-8.`)
  }
}

function addJson(sent: RawValues, text: string, place: ValueSource): void {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw invalidParams('The body is not valid JSON.')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidParams('The JSON body must be an object.')
  }
  for (const [name, value] of Object.entries(body)) addValue(sent, name, jsonValue(value), place)
}

function jsonValue(value: unknown): string | NotText {
  if (value === null) return ''
  if (Array.isArray(value)) {
    // An empty list becomes a lone comma (D9).
    const list = value.every(Number.isSafeInteger) ? value.join(',') || ',' : undefined
    return new NotText((t) => t.values.notArray, list)
  }
  return typeof value === 'object' ? new NotText((t) => t.values.notObject, undefined, value) : String(value)
}

async function addMultipart(
  sent: RawValues,
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
  place: ValueSource,
): Promise<void> {
  for (const [name, value] of await multipartFields(bytes, contentType)) {
    addValue(sent, name, value ?? new NotText((t) => t.values.notFile), place)
  }
}

async function addFiles(
  sent: RawValues,
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
  place: ValueSource,
): Promise<void> {
  for (const [name, value] of await multipartWithFiles(bytes, contentType))
    addValue(sent, name, typeof value === 'string' ? value : new SentFile(value), place)
}

export function addValue(
  sent: RawValues,
  name: string,
  value: string | NotText,
  { where, repeats }: ValueSource,
): void {
  checkText(name, `A name in ${where}`)
  if (name === '__proto__') throw invalidParams('__proto__ is not a parameter name.')
  if (typeof value === 'string') checkText(value, displayName(name))
  if (sent.size >= maxNames && !sent.has(name))
    throw invalidParams(`At most ${maxNames} parameters may be sent.`)
  const repeated = (!repeats || name === 'access_token') && sent.has(name)
  sent.set(name, repeated ? repeatedText(sent.get(name), value) : value)
}

const repeatedText = (before: string | NotText | undefined, value: string | NotText) =>
  new NotText((t) => t.values.once, undefined, undefined, [...textsIn(before), ...textsIn(value)])

/** All that a name was sent with, in their order, where a form repeats one, such as that of its boxes. */
export const textsIn = (value: string | NotText | undefined): readonly string[] =>
  value instanceof NotText ? (value.texts ?? []) : [value ?? []].flat()

const maxNames = 100

/** Rejects text that SQLite or another reader would not return unchanged (D12). */
function checkText(text: string, subject: string): void {
  if (text.includes('\0')) throw invalidParams(`${subject} must not contain a NUL character.`)
  if (!text.isWellFormed()) throw invalidParams(`${subject} must not contain a lone surrogate.`)
}

/** Names come from the client too: an odd one is not repeated in an error. */
const displayName = (name: string) => (/^[\w.[\]-]{1,64}$/.test(name) ? name : 'A parameter')

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalidParams('The body is not valid UTF-8.')
  }
}
