import { statSync } from 'node:fs'
import { join } from 'node:path'
import { isBackupOverdue, type LastBackup, lastBackup } from '../../backup/last-backup'
import { timeOf } from '../../backup/names'
import { readNotes } from '../../backup/notes'
import { readLastCheck } from '../../db/health/last-check'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { day, moment } from '../../pages/moment'
import { lastRun } from '../../sources/run/runs'
import { listSources } from '../../sources/run/settings'
import { builtOn, version } from '../../version'
import { administrator, definePage } from '../../web/page'
import type { MemberVisit } from '../../web/visit'
import { hasFailed, outcomeText, runPath } from '../catalogue/run-text'
import { declaredSources } from '../catalogue/source-text'
import { adminPage } from './tabs'

/** How the server is: a verdict, then each check in its place. */
export const admin = definePage({
  path: '/admin',
  access: administrator,
  show: async (visit) => {
    const { deps } = visit
    const backup = lastBackup(deps.config.data, deps.now())
    const checks = [
      databaseCheck(visit),
      backupCheck(visit, backup),
      ...(await sourceChecks(visit)),
      mailCheck(visit),
      versionCheck(visit),
    ]
    return adminPage(visit, 'health', {
      main: html`<div class="health"><div>${verdict(visit, checks)}<ul class="checks">${checks.map((one) => row(visit, one))}</ul></div>
        ${backupCard(visit, backup)}</div>`,
    })
  },
})

interface Check {
  readonly name: string
  readonly isFine: boolean
  readonly finding: Markup | string
  readonly when?: Markup
  readonly wayOut?: { readonly path: string; readonly name: string }
}

function verdict({ t }: MemberVisit, checks: readonly Check[]): Markup {
  const count = checks.filter(({ isFine }) => !isFine).length
  const [drawing, colour] = count === 0 ? (['check', 'seen'] as const) : (['warning', 'hold'] as const)
  const rest = count === 0 ? '' : html` <small>${t.admin.restIsFine}</small>`
  return html`<h2 class="verdict"><span class="${colour}">${icon(drawing)}</span>${count === 0 ? t.admin.allFine : t.admin.toLookAt(count)}${rest}</h2>`
}

function row({ t, basePath }: MemberVisit, { name, isFine, finding, when, wayOut }: Check): Markup {
  const state = isFine
    ? html`<span class="state seen">${icon('check', 16)}${t.admin.fine}</span>`
    : html`<span class="state hold">${icon('warning', 16)}${t.admin.look}</span>`
  const link =
    wayOut === undefined
      ? ''
      : html`<a class="button small outlined" href="${basePath}${wayOut.path}">${wayOut.name}</a>`
  return html`<li>${state}<b>${name}</b><div class="finding">${finding} ${link}</div><span class="meta">${when ?? ''}</span></li>`
}

/** What `/readyz` says about the database, in words. */
function databaseCheck(visit: MemberVisit): Check {
  const { deps, t } = visit
  const last = readLastCheck(deps.config.data)
  const { freeBytes } = deps.storage.room()
  const size = statSync(join(deps.config.data, 'kiroku.db'), { throwIfNoEntry: false })?.size ?? 0
  const isLow = deps.storage.findLowRoom() !== undefined
  const told = last === undefined ? t.damage.none : t.damage.outcomes[last.outcome]
  return {
    name: t.admin.database,
    isFine: !isLow && (last === undefined || last.outcome === 'ok'),
    finding: `${told} · ${t.admin.room(bytesText(visit, size), bytesText(visit, freeBytes))}`,
    ...(last && { when: moment(visit, Date.parse(last.at)) }),
  }
}

/** How old the newest backup is, and the sizes of the last ones. */
function backupCard(visit: MemberVisit, { madeAt, verifiedAt, bytes, failed }: LastBackup): Markup {
  const { deps, t } = visit
  const { backupEvery } = deps.config
  const hours = Math.round((backupEvery ?? 0) / 3_600_000)
  const often = hours === 24 ? t.admin.daily : t.admin.everyHours(hours)
  const isOld = madeAt === undefined || deps.now() - madeAt > 2 * 86_400_000
  const size = bytes === undefined ? [] : [bytesText(visit, bytes)]
  const facts = [...size, ...(verifiedAt === undefined ? [] : [t.admin.verified])].join(' · ')
  const why = isOld || failed ? html`<p class="meta">${t.admin.backupOld}</p>` : ''
  return html`<aside class="box backup-card"><div class="head"><h2>${t.admin.backups}</h2><span class="meta">${backupEvery === null ? t.common.off : often}</span></div>
    <p class="age${isOld ? ' wrong' : ''}">${madeAt === undefined ? t.backups.none : moment(visit, madeAt)}</p>
    ${facts === '' ? '' : html`<p class="meta">${facts}</p>`}
    ${sizes(visit)}${why}
    <p class="meta">${t.admin.backUpNow} <code>kiroku backup create</code></p></aside>`
}

const mostBars = 14

/** A bar per backup, as high as it is large: a sudden change is worth a look. */
function sizes(visit: MemberVisit): Markup {
  const known = Object.entries(readNotes(visit.deps.config.data).backups)
    .flatMap(([name, { bytes }]) => {
      const at = timeOf(name)
      return at === undefined ? [] : [{ at, bytes }]
    })
    .sort((one, other) => one.at - other.at)
    .slice(-mostBars)
  const [first, last] = [known.at(0), known.at(-1)]
  if (known.length < 2 || first === undefined || last === undefined) return html``
  const largest = Math.max(...known.map(({ bytes }) => bytes))
  const bars = known.map(({ bytes }, at) => {
    const height = Math.max(2, Math.round((bytes / largest) * 56))
    return html`<rect x="${at * 18}" y="${56 - height}" width="15" height="${height}" rx="2"${at === known.length - 1 ? html` class="newest"` : ''}/>`
  })
  const told = visit.t.admin.sizes(known.length, bytesText(visit, largest))
  return html`<svg class="sizes" viewBox="0 0 ${known.length * 18 - 3} 56" role="img" aria-label="${told}">${bars}</svg>
    <p class="meta ends"><span>${day(visit, first.at)}</span><span>${day(visit, last.at)}</span></p>`
}

/** `1.4 GB` */
function bytesText({ t }: Pick<MemberVisit, 't'>, bytes: number): string {
  const units = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
  const place = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3) - 1))
  const value = bytes / 1000 ** (place + 1)
  return value.toLocaleString(t.language.locale, {
    style: 'unit',
    unit: units[place] ?? 'kilobyte',
    maximumFractionDigits: value < 10 ? 1 : 0,
  })
}

function backupCheck(visit: MemberVisit, backup: LastBackup): Check {
  const { deps, t } = visit
  const { madeAt = null, verifiedAt = null, failed } = backup
  const none = deps.config.backupEvery === null ? t.backups.isOff : t.backups.none
  const verified = verifiedAt === null ? '' : html` · ${t.backups.verified} ${moment(visit, verifiedAt)}`
  return {
    name: t.backups.title,
    isFine: !isBackupOverdue(deps, backup),
    finding: html`${moment(visit, madeAt, none)}${verified}${failed === undefined ? '' : ` · ${t.backups.failed}`}`,
    ...(failed && { when: moment(visit, failed.at) }),
  }
}

/** Sources that are on and failed last time, each by itself; otherwise how many are on. */
async function sourceChecks(visit: MemberVisit): Promise<readonly Check[]> {
  const { deps, t } = visit
  const listed = (await listSources(deps.read, await declaredSources())).filter(({ isEnabled }) => isEnabled)
  const runs = await Promise.all(listed.map(({ source }) => lastRun(deps.read, source.name)))
  const failed = listed.flatMap(({ source }, at) => {
    const run = runs[at]
    if (run === undefined || !hasFailed(run)) return []
    const wayOut = { path: runPath(run), name: t.admin.seeRun }
    return [
      {
        name: source.title,
        isFine: false,
        finding: outcomeText(visit, run),
        when: moment(visit, run.startedAt),
        wayOut,
      },
    ]
  })
  if (failed.length > 0) return failed
  return [{ name: t.catalogue.sources, isFine: true, finding: t.admin.sourcesOn(listed.length) }]
}

function mailCheck({ deps, t }: MemberVisit): Check {
  const { fresh, retries } = deps.mail?.waiting() ?? { fresh: 0, retries: 0 }
  const told = fresh + retries === 0 ? t.admin.mailIsOn : t.admin.mailWaits(fresh + retries)
  return {
    name: t.admin.mail,
    isFine: retries === 0,
    finding: deps.mail === undefined ? t.admin.mailIsOff : told,
  }
}

const versionCheck = ({ t }: MemberVisit): Check => ({
  name: t.admin.version,
  isFine: true,
  finding: version,
  ...(builtOn !== undefined && { when: html`${builtOn}` }),
})
