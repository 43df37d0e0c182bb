import { printedSchema } from '../src/graphql/print'

/** `docs/schema.graphql`, which a test holds against the declarations. */
await Bun.write('docs/schema.graphql', printedSchema())
