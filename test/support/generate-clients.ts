import { join } from 'node:path'
import { plugin } from 'bun'
import typescript from 'typescript-5'

/**
 * Generates clients from an OpenAPI document into a directory, as their users do; the arguments are both paths. The
 * generators write TypeScript with the compiler's programming interface, which TypeScript 7 no longer has.
 */
plugin({
  name: 'typescript for generators',
  setup: (build) => {
    build.module('typescript', () => ({
      exports: { ...typescript, default: typescript },
      loader: 'object',
    }))
  },
})

const [input = '', output = ''] = process.argv.slice(2)

const { default: openapiTS, astToString } = await import('openapi-typescript')
await Bun.write(join(output, 'schema.d.ts'), astToString(await openapiTS(Bun.pathToFileURL(input))))

const { createClient } = await import('@hey-api/openapi-ts')
await createClient({ input, output: join(output, 'hey-api'), logs: { level: 'silent' } })
