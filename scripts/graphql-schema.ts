import { printedSchema } from '../src/graphql/print'

/** Writes `docs/schema.graphql`, which a test compares with the declarations. */
await Bun.write('docs/schema.graphql', printedSchema())
