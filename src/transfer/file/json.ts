import { type JsonTypes, Tokenizer, TokenParser, TokenType } from '@streamparser/json'
import type { InputFile } from './input-file'
import { limits } from './limits'
import { RefusedFile } from './refused-file'

/**
 * Reads JSON to its end without keeping it, and returns the places of its values: `data[].node.id` stands for every such
 * `id`; at most 2,000, none deeper than 8. Throws a `RefusedFile` for anything but JSON.
 */
export async function placesIn(file: InputFile): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const onPlace = (place: string) => {
    if (found.size < 2000) found.add(place)
  }
  // A path that selects nothing: the parser only checks the grammar.
  for await (const _ of parsed(file, ['$.\0'], onPlace));
  return found
}

export interface JsonValue {
  readonly value: unknown
  /** Object keys and array indexes on the way to the value. */
  readonly keys: readonly (string | number)[]
}

/**
 * Every value at one of these paths (`$.data.*.entries.*`), in file order, one at a time in memory. The file may
 * contain several JSON texts in a row. Throws a `RefusedFile`.
 */
export async function* jsonValues(file: InputFile, ...paths: readonly string[]): AsyncGenerator<JsonValue> {
  for await (const values of parsed(file, paths)) yield* values
}

/** The selected values that each piece of the file completes. */
async function* parsed(file: InputFile, paths: readonly string[], onPlace?: (place: string) => void) {
  const walk = createWalk(paths, onPlace)
  // The empty separator allows several texts in a row; with buffers, long tokens are not kept character by character.
  const tokenizer = new Tokenizer({ separator: '', stringBufferSize: 4096, numberBufferSize: 64 })
  const parser = new TokenParser({ paths: [...paths], keepStack: false, separator: '' })
  let values: JsonValue[] = []
  parser.onValue = ({ value, key, stack }) => {
    const keys = [...stack.slice(1).map((one) => one.key), key]
    values.push({ value, keys: keys.filter((one) => one !== undefined) })
  }
  let [size, tokenAt] = [0, 0]
  tokenizer.onToken = (token) => {
    tokenAt = token.offset
    walk(token)
    parser.write(token)
  }
  for await (const piece of file.bytes()) {
    refusing(size, () => tokenizer.write(piece))
    size += piece.length
    if (size - tokenAt > longestToken) throw new RefusedFile('too_large', 'text')
    yield values
    values = []
  }
  refusing(size, () => tokenizer.end())
  refusing(size, () => parser.end())
  yield values
}

interface Open {
  readonly place: string
  readonly isArray: boolean
  key: string | undefined
}

interface Token {
  readonly token: TokenType
  readonly value: JsonTypes.JsonPrimitive
}

/**
 * Follows JSON tokens to enforce limits that the parser lacks: depth, length of texts, and tokens within a value at one
 * of `paths`. `onPlace` receives the place of each value, such as `data[].node.id`, down to a depth of 8.
 */
function createWalk(paths: readonly string[], onPlace?: (place: string) => void) {
  const patterns = paths.map((path) => path.split('.').slice(1))
  const stack: Open[] = []
  const entry = { depth: Number.POSITIVE_INFINITY, tokens: 0 }

  const enter = (isArray: boolean): void => {
    if (entry.depth > stack.length && patterns.some((pattern) => matches(pattern, stack))) {
      entry.depth = stack.length
      entry.tokens = 0
    }
    stack.push({ place: placeIn(stack.at(-1), stack.length), isArray, key: undefined })
    if (stack.length > limits.jsonDepth) throw new RefusedFile('unrecognised', 'jsonDepth')
  }
  const leave = (): void => {
    stack.pop()
    if (stack.length <= entry.depth) entry.depth = Number.POSITIVE_INFINITY
  }
  const note = (): void => {
    if (onPlace !== undefined && stack.length <= deepestPlace)
      onPlace(placeIn(stack.at(-1), stack.length).replace(/^\./, ''))
  }

  return ({ token, value }: Token): void => {
    if (typeof value === 'string' && value.length > limits.text) throw new RefusedFile('too_large', 'text')
    if (stack.length > entry.depth && ++entry.tokens > limits.entry)
      throw new RefusedFile('too_large', 'entry')
    const top = stack.at(-1)
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) leave()
    else if (token === TokenType.COMMA && top !== undefined) top.key = undefined
    else if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
      note()
      enter(token === TokenType.LEFT_BRACKET)
    } else if (top !== undefined && !top.isArray && top.key === undefined) top.key = String(value)
    else if (token !== TokenType.COLON) note()
  }
}

const deepestPlace = 8

/** No source has longer keys, and they would add up. */
const longestKey = 100

function placeIn(top: Open | undefined, depth: number): string {
  if (top === undefined || depth > deepestPlace) return ''
  const { place, isArray, key = '' } = top
  return isArray ? `${place}[]` : `${place}.${key.length > longestKey ? '…' : key}`
}

const matches = (pattern: readonly string[], stack: readonly Open[]) =>
  pattern.length === stack.length &&
  pattern.every((name, index) => name === '*' || name === stack[index]?.key)

/** A character may take up to 6 bytes: `\u3042`. */
const longestToken = 6 * limits.text + 65_536

function refusing(at: number, parse: () => void): void {
  try {
    parse()
  } catch (cause) {
    if (cause instanceof RefusedFile) throw cause
    const [, position] = /absolute position "(\d+)"/.exec(String(cause)) ?? []
    throw new RefusedFile('broken', { byte: position === undefined ? at : Number(position) })
  }
}
