import { JSONParser, Tokenizer, TokenParser, TokenType } from '@streamparser/json'
import type { InputFile } from './input-file'
import { limits } from './limits'
import { RefusedFile } from './refused-file'

/**
 * Reads JSON from end to end without keeping it, and returns the places of its values: `data[].node.id` stands for every
 * `id` there; at most 2,000, none deeper than 8. Throws a `RefusedFile` for what is not JSON.
 */
export async function placesIn(file: InputFile): Promise<ReadonlySet<string>> {
  const [places, tokenizer] = [createPlaces(), new Tokenizer()]
  // Selects nothing: it checks the grammar.
  const grammar = new TokenParser({ paths: ['$.\0'], keepStack: false })
  tokenizer.onToken = (info) => {
    if (typeof info.value === 'string' && info.value.length > limits.text)
      throw new RefusedFile('too_large', 'a text of more than 1 MiB')
    places.add(info.token, info.value)
    grammar.write(info)
  }
  try {
    for await (const chunk of file.bytes()) tokenizer.write(chunk)
  } catch (cause) {
    throw cause instanceof RefusedFile ? cause : new RefusedFile('broken', whereOf(cause))
  }
  if (!tokenizer.isEnded && !grammar.isEnded) throw new RefusedFile('broken', 'it ends in the middle')
  return places.found
}

interface Open {
  readonly place: string
  readonly isArray: boolean
  key: string | undefined
}

function createPlaces() {
  const found = new Set<string>()
  const stack: Open[] = []
  const placeIn = ({ place, isArray, key }: Open) => (isArray ? `${place}[]` : `${place}.${key}`)
  const note = (): string => {
    const top = stack.at(-1)
    if (top === undefined) return ''
    const place = placeIn(top)
    if (stack.length <= 8 && found.size < 2000) found.add(place.replace(/^\./, ''))
    return place
  }
  const add = (token: TokenType, value: unknown): void => {
    const top = stack.at(-1)
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) stack.pop()
    else if (token === TokenType.COMMA && top !== undefined) top.key = undefined
    else if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
      stack.push({ place: note(), isArray: token === TokenType.LEFT_BRACKET, key: undefined })
      if (stack.length > limits.jsonDepth) throw new RefusedFile('unrecognised', 'nested more than 64 deep')
    } else if (top !== undefined && !top.isArray && top.key === undefined) top.key = String(value)
    else if (token !== TokenType.COLON) note()
  }
  return { found, add }
}

export interface JsonValue {
  readonly value: unknown
  /** Keys of objects and numbers of array elements on the way to it. */
  readonly keys: readonly (string | number)[]
}

/** Every value at one of these paths (`$.data.*.entries.*`), in the order of the file, one at a time in memory. */
export async function* jsonValues(file: InputFile, ...paths: readonly string[]): AsyncGenerator<JsonValue> {
  const parser = new JSONParser({ paths: [...paths], keepStack: false })
  let values: JsonValue[] = []
  parser.onValue = ({ value, key, stack }) => {
    const keys = [...stack.slice(1).map((one) => one.key), key]
    values.push({ value, keys: keys.filter((one) => one !== undefined) })
  }
  for await (const chunk of file.bytes()) {
    parser.write(chunk)
    yield* values
    values = []
  }
}

function whereOf(cause: unknown): string {
  const [, position] = /absolute position "(\d+)"/.exec(String(cause)) ?? []
  return position === undefined ? 'it is not JSON' : `byte ${Number(position).toLocaleString('en')}`
}
