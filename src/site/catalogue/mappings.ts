import type { UploadedFile } from '../../http/upload/receive'
import { html, type Markup } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import { day } from '../../pages/moment'
import { table } from '../../pages/table'
import { limits } from '../../transfer/file/limits'
import { RefusedFile } from '../../transfer/file/refused-file'
import {
  type InstalledMapping,
  installMapping,
  listMappings,
  removeMapping,
} from '../../transfer/mapping/installed'
import { mappingKinds } from '../../transfer/mapping/ranges'
import { refusalSentence } from '../../transfer/refusal'
import { fileField } from '../../web/fields'
import { setFlash } from '../../web/flash'
import { defineAction, orShownAgain } from '../../web/form'
import { csrfInput, formMarkup } from '../../web/form-markup'
import { administrator, definePage, type PageRoute, seeOther } from '../../web/page'
import { FormProblem, pageNotFound } from '../../web/problem'
import { defineUpload } from '../../web/upload-form'
import type { MemberVisit } from '../../web/visit'

const mappingsPath = '/admin/catalogue/mappings'

const fields = {
  file: fileField({
    label: (t) => t.mappings.file,
    hint: (t) => t.mappings.fileHint,
    accept: '.xml,.json,.zst,.gz',
  }),
}

/** Files that say which episodes of TheTVDB and TMDB are which of a work. */
export const mappingRoutes: readonly PageRoute[] = [
  definePage({ path: mappingsPath, access: administrator, show: (visit) => mappingsPage(visit) }),
  defineUpload({
    path: mappingsPath,
    access: administrator,
    maxBytes: limits.upload,
    tooLarge: (visit) => mappingsPage(visit, new FormProblem('file', (t) => t.fileLimits.upload, 413)),
    use: (visit, { file }) =>
      orShownAgain(
        async () => {
          const { deps, context, session } = visit
          const { kind, ranges } = await installed(visit, file)
          deps.log('mapping_installed', { id: context.id, kind, ranges, by: session.userId })
          setFlash(visit, 'saved')
          return seeOther(visit, mappingsPath)
        },
        (problem) => mappingsPage(visit, problem),
      ),
  }),
  defineAction({
    path: `${mappingsPath}/:kind/remove`,
    access: administrator,
    run: async (visit) => {
      const { deps, context, session, params } = visit
      const kind = mappingKinds.find((one) => one === params.kind)
      if (kind === undefined || !(await removeMapping(deps, kind))) throw pageNotFound()
      deps.log('mapping_removed', { id: context.id, kind, by: session.userId })
      setFlash(visit, 'saved')
      return seeOther(visit, mappingsPath)
    },
  }),
]

async function mappingsPage(visit: MemberVisit, problem?: FormProblem): Promise<PageContent> {
  const { t, deps } = visit
  const all = await listMappings(deps.read)
  const problems = problem === undefined ? {} : { [problem.field]: problem.text }
  const form = formMarkup(
    visit,
    { fields, button: (t) => t.mappings.install },
    { texts: {}, problems },
    mappingsPath,
  )
  const main = html`<h1>${t.mappings.title}</h1><p>${t.mappings.explained}</p>
    ${all.length === 0 ? '' : mappingTable(visit, all)}${form}`
  return {
    main,
    title: problem === undefined ? t.mappings.title : t.common.error(t.mappings.title),
    ...(problem !== undefined && { status: problem.status }),
  }
}

async function installed(
  { deps, t }: MemberVisit,
  file: UploadedFile | undefined,
): Promise<InstalledMapping> {
  // A browser sends an empty file without a name if none was chosen.
  if (file === undefined || Bun.file(file.path).size === 0)
    throw new FormProblem('file', (words) => words.form[file?.name ? 'emptyFile' : 'missing'])
  try {
    return await installMapping(deps, file.name || t.mappings.sent, Bun.file(file.path).stream())
  } catch (cause) {
    if (!(cause instanceof RefusedFile)) throw cause
    throw new FormProblem('file', (words) =>
      cause.problem === 'unrecognised' ? words.mappings.unrecognised : refusalSentence(cause, words),
    )
  }
}

function mappingTable(visit: MemberVisit, mappings: readonly InstalledMapping[]): Markup {
  const { t, basePath } = visit
  const figure = (count: number) => count.toLocaleString(t.language.locale)
  return table(mappings, [
    [t.mappings.kind, ({ kind, name }) => html`${kind} <span class="meta">${name}</span>`],
    [t.mappings.installed, ({ installedAt }) => day(visit, installedAt)],
    [t.mappings.ranges, ({ ranges }) => figure(ranges)],
    [t.mappings.works, ({ works }) => figure(works)],
    [t.mappings.contradictions, ({ contradictions }) => figure(contradictions)],
    [
      '',
      ({ kind }) =>
        html`<form method="post" action="${basePath}${mappingsPath}/${kind}/remove">${csrfInput(visit)}<button class="small" aria-label="${t.mappings.remove}${t.common.colon}${kind}">${t.mappings.remove}</button></form>`,
    ],
  ])
}
