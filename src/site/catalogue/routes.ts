import { takeUpOrBegin } from '../../sources/run/begin'
import { lastRuns } from '../../sources/run/runs'
import { defineAction, formText } from '../../web/form'
import { administrator, below, type PageRoute, seeOther } from '../../web/page'
import { PageProblem } from '../../web/problem'
import { missingIds } from './gaps'
import { mappingRoutes } from './mappings'
import { adminCatalogue } from './overview'
import { catalogueQuestion } from './question'
import { adminRun } from './run-page'
import { runningOf, runPath, sourcePath } from './run-text'
import { sourceForms } from './source-forms'
import { adminSource } from './source-page'
import { sourceIn } from './source-text'

/** Starts a run, which the server's scheduler executes in its own process. Fields: `dry_run` (0 or 1). */
const lookNow = defineAction({
  path: `${sourcePath(':name')}/look`,
  access: administrator,
  run: async (visit, sent) => {
    const { deps, context, session } = visit
    const { source, isEnabled } = await sourceIn(visit)
    if (!isEnabled) throw isOff()
    const running = runningOf(await lastRuns(deps.read, mostUnended))
    if (running !== undefined) throw isBusy()
    const isDryRun = formText(sent, 'dry_run') === '1'
    const run = await takeUpOrBegin({ store: deps, now: deps.now }, source, {
      cause: 'page',
      asked: {},
      isDryRun,
      isForced: false,
    })
    deps.log('source_run_asked', {
      id: context.id,
      source: source.name,
      run: run.id,
      dry_run: isDryRun,
      by: session.userId,
    })
    return seeOther(visit, runPath(run))
  },
})

/** For administrators: what the catalogue holds, where it comes from, and whether sources may be contacted. */
export const catalogueRoutes: readonly PageRoute[] = [
  ...catalogueQuestion,
  adminCatalogue,
  ...below({ path: '/admin/catalogue', name: (t) => t.catalogue.title }, [
    adminSource,
    ...sourceForms,
    lookNow,
    adminRun,
    missingIds,
    ...mappingRoutes,
  ]),
]

const mostUnended = 20

const isOff = () => new PageProblem(409, (t) => [t.catalogue.offTitle, t.catalogue.offExplained])

const isBusy = () => new PageProblem(409, (t) => [t.catalogue.busy, t.catalogue.busyExplained])
