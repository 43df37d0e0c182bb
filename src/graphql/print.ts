import { lexicographicSortSchema, printSchema } from 'graphql'
import { declarations } from './declarations'
import { createCatalogue } from './schema/schema'

/** The schema in SDL, sorted. */
export const printedSchema = (): string =>
  `${printSchema(lexicographicSortSchema(createCatalogue(declarations).schema)).trimEnd()}\n`
