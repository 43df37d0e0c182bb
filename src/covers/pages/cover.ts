import { sql } from 'kysely'
import { coverFor, sharedCover } from '../../catalogue/cover-path'
import type { Messages } from '../../messages/en'
import { html } from '../../pages/html'
import { buttonForm } from '../../web/form-markup'
import { type AccessCheck, administrator, member, type PageRoute } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId } from '../../web/visit'
import { coverMarkup } from '../cover-url'
import type { PictureOwner } from '../images/former'
import { formerPicture, picturePages } from './picture-pages'

/** One of the two covers that a work may have besides the generated one. */
interface CoverOf {
  readonly path: string
  readonly access: AccessCheck<MemberVisit>
  title(t: Messages, work: string): string
  explained(t: Messages): string
  userId(visit: MemberVisit): number | null
  /** The page of the other cover, if the reader may open it. */
  other(visit: MemberVisit): { path: string; label: string } | undefined
}

const own: CoverOf = {
  path: '/works/:id/cover',
  access: member,
  title: (t, work) => t.pictures.coverTitle(work),
  explained: (t) => t.pictures.own,
  userId: ({ session }) => session.userId,
  other: ({ session, t }) =>
    session.isAdmin ? { path: 'shared_cover', label: t.pictures.toShared } : undefined,
}

const shared: CoverOf = {
  path: '/works/:id/shared_cover',
  access: administrator,
  title: (t, work) => t.pictures.sharedTitle(work),
  explained: (t) => t.pictures.shared,
  userId: () => null,
  other: ({ t }) => ({ path: 'cover', label: t.pictures.toOwn }),
}

function pagesOf(cover: CoverOf): readonly PageRoute[] {
  const { path, access } = cover
  const ownerIn = (visit: MemberVisit): PictureOwner => ({
    kind: 'cover',
    workId: pathId(visit),
    userId: cover.userId(visit),
  })
  const pathIn = (visit: MemberVisit) => path.replace(':id', String(pathId(visit)))
  return picturePages({
    path,
    access,
    ownerIn,
    pathIn,
    checkUpload: (visit) => shownWork(visit, cover.userId(visit)),
    show: async (visit, form) => {
      const { t, basePath } = visit
      const work = await shownWork(visit, cover.userId(visit))
      const title = cover.title(t, work.title)
      const other = cover.other(visit)
      const main = html`
    <h1>${title}</h1>
    <div class="page-cover">
      ${coverMarkup(visit, work, 160)}
      <div>
        <p>${cover.explained(t)}${t.common.gap}${t.pictures.coverCropped}</p>
        ${form}
        ${work.has_one === 1 ? buttonForm(visit, `${pathIn(visit)}/remove`, t.pictures.remove) : ''}
        ${await formerPicture(visit, ownerIn(visit), pathIn(visit))}
        ${other === undefined ? '' : html`<p><a href="${basePath}/works/${work.id}/${other.path}">${other.label}</a></p>`}
      </div>
    </div>`
      return { title, main, place: 'find', back: { path: `/works/${work.id}`, name: work.title } }
    },
  })
}

export const coverPages = pagesOf(own)
export const sharedCoverPages = pagesOf(shared)

/** With the cover that this person sees, or everybody if null; `has_one` if it is theirs to remove. */
async function shownWork(visit: MemberVisit, userId: number | null) {
  const [seen, owner] = userId === null ? [sharedCover, 0] : [coverFor(sql`${userId}`), userId]
  const work = await visit.deps.read
    .selectFrom('works')
    .select(['id', 'title', 'media', 'season_year', 'season'])
    .select(seen.as('cover_hash'))
    .select(
      sql<number>`exists (select 1 from images where work_id = works.id and ifnull(user_id, 0) = ${owner})`.as(
        'has_one',
      ),
    )
    .where('id', '=', pathId(visit))
    .where('hidden', '=', 0)
    .executeTakeFirst()
  if (work === undefined) throw pageNotFound()
  return work
}
