import { readFileSync } from 'node:fs'

/** Bundles GraphiQL with what starts it (`src/docs/graphiql`), as browsers take it: 0.42 MB. */
export async function packGraphiql(): Promise<void> {
  const { outputs } = await Bun.build({
    entrypoints: ['src/docs/graphiql/main.ts'],
    target: 'browser',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  await pack('graphiql.js', (await outputs[0]?.text()) ?? '')
  await pack('graphiql.css', styleOfGraphiql())
}

const pack = (name: string, text: string) => Bun.write(`dist/${name}.gz`, Bun.gzipSync(text, { level: 9 }))

/** Without the fonts that it embeds: 0.27 MB, and our pages have none of their own. */
function styleOfGraphiql(): string {
  const theirs = readFileSync('node_modules/graphiql/dist/style.css', 'utf8')
  const ours = readFileSync('src/docs/graphiql/style.css', 'utf8')
  return `${theirs.replaceAll(/@font-face\s*\{[^}]*\}/g, '')}\n${ours}`
}
