import type { Schema } from './document'
import { byName } from './known-values'

const anyText = ['', ' ', '　', 'x', '\0', '🍥', '<b>']

/** Fixed texts for the parameter's name, or else values derived from its schema. */
export function valuesFor(name: string, schema: Schema): string[] {
  const known = byName.find(([pattern]) => pattern.test(name))?.[1] ?? bySchema(schema)
  return [...new Set([...known, ...anyText])]
}

function bySchema(schema: Schema): readonly string[] {
  const kinds = schema.anyOf ?? [schema]
  const options = kinds.flatMap((kind) => kind.enum ?? [])
  if (options.length > 0) return [...options, options[0]?.toUpperCase() ?? '', `${options[0]} `, 'none', '1']
  if (kinds.some(({ type }) => type === 'boolean')) return ['true', 'false', 'True', '1', '0', 'yes', 'on']
  const limit = kinds.find(({ maxLength }) => maxLength !== undefined)?.maxLength
  if (limit !== undefined)
    return ['長い', ' 空白 ', '改行\n二行目', 'あ'.repeat(limit), '🍥'.repeat(limit + 1)]
  return ['a', 'b']
}

/** Every fourth element, starting elsewhere for each `turn`, so that four turns cover all. */
export const someOf = <T>(list: readonly T[], turn: number): T[] =>
  list.filter((_, i) => (i + turn) % 4 === 0)

export const jsonValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  1e300,
  2 ** 53,
  [],
  {},
  [1],
  ['1'],
  [null],
  [[1]],
  '\ud800',
]

/** Valid values of required parameters, so that another parameter can be varied. */
export const valid: Readonly<Record<string, string>> = {
  episode_id: '11',
  episode_ids: '11,13',
  work_id: '1',
  body: '本文',
  kind: 'watching',
  channel_id: '1',
  username: 'yui',
}
