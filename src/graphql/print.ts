import { lexicographicSortSchema, printSchema } from 'graphql'
import { declarations } from './declarations'
import { createCatalogue } from './schema/schema'

export const printedSchema = (): string =>
  `${printSchema(lexicographicSortSchema(createCatalogue(declarations).schema)).trimEnd()}\n`
