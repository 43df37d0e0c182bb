import { type CatalogueSummary, summarize } from '../../../catalogue/summary'
import { type Command, json } from '../../command'
import { withExistingStore } from '../../open'
import { table } from '../../table'

export const catalogueStatus: Command = {
  name: 'catalogue status',
  summary: 'Shows what the catalogue contains and where it comes from.',
  operands: [],
  options: [json],
  examples: ['kiroku catalogue status'],
  run: async (call) => {
    const summary = await withExistingStore(call, async ({ handle }) => summarize(handle))
    await call.print(call.get(json) ? JSON.stringify(summary, null, 2) : formatSummary(summary))
  },
}

function formatSummary({ rows, estimated, sources, defaultCatalogue }: CatalogueSummary): string {
  const kinds = Object.entries(rows).map(([kind, { shown, hidden }]) => [kind, String(shown), String(hidden)])
  const names = sources.map(({ name, priority, lines }) => [name, String(priority), String(lines)])
  return [
    table([['KIND', 'SHOWN', 'HIDDEN'], ...kinds]),
    '',
    `estimated: ${estimated.episodes} episodes, ${estimated.programs} programs`,
    `default catalogue: ${defaultCatalogueLabels[defaultCatalogue]}`,
    '',
    table([['SOURCE', 'PRIORITY', 'LINES'], ...names]),
  ].join('\n')
}

const defaultCatalogueLabels = {
  none: 'not loaded',
  older: 'an older one; kiroku serve loads the one of this version',
  current: 'the one of this version',
} as const satisfies Record<CatalogueSummary['defaultCatalogue'], string>
