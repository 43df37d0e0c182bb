import { html, type Markup } from '../../pages/html'
import { day } from '../../pages/moment'
import { table } from '../../pages/table'
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
import { defineAction, defineForm } from '../../web/form'
import { csrfInput } from '../../web/form-markup'
import { administrator, type PageRoute, seeOther } from '../../web/page'
import { FormProblem, pageNotFound } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'

const mappingsPath = '/admin/catalogue/mappings'

/** Files that say which episodes of TheTVDB and TMDB are which of a work; larger ones are installed by the command line. */
export const mappingRoutes: readonly PageRoute[] = [
  ...defineForm({
    path: mappingsPath,
    access: administrator,
    fields: {
      file: fileField({
        label: (t) => t.mappings.file,
        hint: (t) => t.mappings.fileHint,
        accept: '.xml,.json,.zst,.gz',
      }),
    },
    button: (t) => t.mappings.install,
    show: async (visit, form) => {
      const { t, deps } = visit
      const installed = await listMappings(deps.read)
      const main = html`<h1>${t.mappings.title}</h1><p>${t.mappings.explained}</p>
        ${installed.length === 0 ? '' : mappingTable(visit, installed)}${form}`
      return { title: t.mappings.title, main }
    },
    submit: async (visit, { file }) => {
      const { deps, context, session } = visit
      const { kind, ranges } = await installed(visit, file)
      deps.log('mapping_installed', { id: context.id, kind, ranges, by: session.userId })
      setFlash(visit, 'saved')
      return seeOther(visit, mappingsPath)
    },
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

async function installed({ deps, t }: MemberVisit, bytes: Uint8Array): Promise<InstalledMapping> {
  try {
    return await installMapping(deps, t.mappings.sent, [bytes])
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
