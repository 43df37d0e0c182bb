import { type JsonTypes, TokenType } from '@streamparser/json'
import { limits } from './limits'
import { RefusedFile } from './refused-file'

interface Open {
  readonly place: string
  readonly isArray: boolean
  key: string | undefined
}

export interface Token {
  readonly token: TokenType
  readonly value: JsonTypes.JsonPrimitive
}

/**
 * Follows JSON tokens to enforce limits that the parser lacks: depth, length of texts, and tokens within a value at one
 * of `paths`. `onPlace` receives the place of each value, such as `data[].node.id`, down to a depth of 8.
 */
export function createWalk(paths: readonly string[], onPlace?: (place: string) => void) {
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
