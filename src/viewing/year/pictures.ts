import { readFileSync } from 'node:fs'
import { filePath, sharePicturePath } from '../../covers/images/files'
import { oneOf } from '../../values/text'
import { readIfValid } from '../../values/value'
import { anyone, definePage } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { queryText, type Visit } from '../../web/visit'
import { findUser } from '../parts/find-user'
import type { NamedWork } from '../stats/named-works'
import { countYear, coversOf, figuresToShare } from './count'
import { figuresOf, findShare, findYear, isShared } from './find-year'
import { madePictureCover, type PictureCover, pictureSizes, uploadedCover, yearPicture } from './picture'

const sizeOf = oneOf(pictureSizes)

/** Seen as the page is. `copy`: what others would get of one's own. */
const drawing = definePage({
  path: '/@:username/:period/share.svg',
  access: anyone,
  show: async (visit) => {
    const size = readIfValid(sizeOf, queryText(visit, 'size')) ?? 'wide'
    const { name, figures, works } = await drawnYear(visit)
    const covers = figures.best
      .slice(0, 3)
      .map((work) => coverOf(visit, works.get(work.id)) ?? madePictureCover(work))
    return new Response(yearPicture(visit, size, { figures, name, covers }), { headers: drawingHeaders })
  },
})

async function drawnYear(visit: Visit) {
  const year = await findYear(visit)
  if (!isShared(year) && queryText(visit, 'copy') !== '1')
    return { name: year.user.name, ...(await countYear(visit, year)) }
  const figures = isShared(year) ? figuresOf(year) : await figuresToShare(visit, year.user.id, year.period)
  return { name: isShared(year) ? year.name : year.user.name, figures, works: await coversOf(visit, figures) }
}

/** Undefined for a made cover, and if its file is gone. */
function coverOf({ deps }: Visit, work: NamedWork | undefined): PictureCover | undefined {
  if (work === undefined || work.cover_hash === null) return undefined
  try {
    return uploadedCover(readFileSync(filePath(deps.config.data, work.cover_hash, 160)))
  } catch {
    return undefined
  }
}

const drawingHeaders = {
  'Content-Type': 'image/svg+xml; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; img-src data:; frame-ancestors 'none'",
}

/** What the owner's page drew when the year was shared: there as long as the share is, for those who see it. */
const sharedPicture = definePage({
  path: '/@:username/:period/share.png',
  access: anyone,
  show: async (visit) => {
    const { username = '', period = '' } = visit.params
    const share = await findShare(visit, username, period)
    if (share === undefined) await findUser(visit)
    const hash = share?.picture_hash ?? undefined
    const file = hash === undefined ? undefined : Bun.file(sharePicturePath(visit.deps.config.data, hash))
    if (file === undefined || !(await file.exists())) throw pageNotFound()
    return new Response(file, { headers: pictureHeaders })
  },
})

/** Without a `Content-Disposition`, Bun would send the name of the file. */
const pictureHeaders = {
  'Content-Type': 'image/png',
  'Cache-Control': 'no-store',
  'Content-Disposition': 'inline',
}

export const pictureRoutes = [drawing, sharedPicture]
