import { loadDefaultCatalogue } from '../../../catalogue/default-catalogue'
import { formatReport } from '../../../catalogue/import/report'
import { type Command, json } from '../../command'
import { withStore } from '../../open'
import { createProgress } from '../../progress'

export const catalogueLoad: Command = {
  name: 'catalogue load',
  summary:
    'Loads the default catalogue of this executable, or what is new in it. A server does this by itself.',
  operands: [],
  options: [json],
  examples: ['kiroku catalogue load'],
  run: async (call) => {
    const progress = createProgress()
    const show = (lines: number) =>
      progress.show(`loading the default catalogue: ${lines.toLocaleString('en')} lines`)
    const report = await withStore(call, (store) =>
      loadDefaultCatalogue(store, call.now(), show).finally(progress.end),
    )
    if (call.get(json)) await call.print(JSON.stringify(report ?? null))
    else await call.print(report === undefined ? 'it is loaded already' : formatReport(report))
  },
}
