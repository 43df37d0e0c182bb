import { GraphQLError } from 'graphql'
import { sql } from 'kysely'
import { matches, searchTerm } from '../../catalogue/search/contains'
import type { SearchKind } from '../../catalogue/search/texts'
import { type MergeableTable, survivors } from '../../catalogue/survivors'
import type { ListFilter } from '../declare/field'

const maxTexts = 100
const maxTextLength = 300
const maxIds = 10_000

function checkTexts(name: string, texts: readonly string[]): void {
  if (texts.length > maxTexts) throw new GraphQLError(`${name} must be at most ${maxTexts}`)
  if (texts.some((text) => text.length > maxTextLength && [...text].length > maxTextLength))
    throw new GraphQLError(`each of ${name} must be at most ${maxTextLength} characters long`)
}

/** D112: clients send blank texts and empty lists for "any"; undefined if nothing is left. */
export function textsGiven(name: string, texts: readonly string[]): readonly string[] | undefined {
  checkTexts(name, texts)
  const given = texts.filter((text) => text.trim() !== '')
  return given.length === 0 ? undefined : given
}

export function checkIds(name: string, ids: readonly unknown[], most = maxIds): void {
  if (ids.length > most) throw new GraphQLError(`${name} must be at most ${most.toLocaleString('en')}`)
}

/** Rows with a text, or those without it; `column` is 1 for rows with one. */
export const hasText = (column: string): ListFilter => ({
  type: 'Boolean',
  bind: (has: boolean) => Number(has),
  where: (slot) => sql`${sql.ref(column)} = ${slot}`,
})

/** Ids of merged rows stand for the rows they were merged into (D67). */
export const annictIds = (table: MergeableTable): ListFilter => ({
  type: '[Int!]',
  bind: (ids: readonly number[]) => {
    checkIds('annictIds', ids)
    return JSON.stringify(ids)
  },
  where: (slot) => sql`${sql.ref(`${table}.id`)} in ${survivors(table, slot)}`,
})

/** Rows that contain any of the texts (D17). */
export const anyText = (table: SearchKind, name: string): ListFilter => ({
  type: '[String!]',
  bind: (texts: readonly string[]) =>
    textsGiven(name, texts)
      ?.map((text) => `(${searchTerm(text)})`)
      .join(' OR '),
  where: (slot) => sql`${matches(table, slot)}`,
})
