import { cutTo } from '../../covers/made/letters'
import { gothic, madeCover } from '../../covers/made/made-cover'
import type { YearFigures, YearWork } from '../../library/counting/year'
import { html, Markup } from '../../pages/html'
import { formatDay } from '../../pages/local-format'
import { chosenTitle } from '../../pages/title'
import type { Visit } from '../../web/visit'
import { dayLength } from '../diary/month'

export const pictureSizes = ['wide', 'tall'] as const
export type PictureSize = (typeof pictureSizes)[number]

/** In pixels, as networks want them. */
export const pictureDimensions = { wide: [1200, 630], tall: [1080, 1920] } as const

/** A cover inside the picture: an SVG, or an address that has its pixels in it. */
export type PictureCover = { readonly made: string } | { readonly data: string }

export const madePictureCover = ({ title, media, season_year, season }: YearWork): PictureCover => ({
  made: madeCover({ title, media, seasonYear: season_year, season }),
})

export const uploadedCover = (webp: Uint8Array): PictureCover => ({
  data: `data:image/webp;base64,${Buffer.from(webp).toString('base64')}`,
})

interface Plan {
  readonly margin: number
  readonly head: {
    readonly kicker: number
    readonly year: number
    readonly episodes: number
    readonly line: number
  }
  /** Where the head's lines stand. */
  readonly lines: readonly [kicker: number, year: number, episodes: number, line: number]
  readonly bars: {
    readonly left: number
    readonly top: number
    readonly width: number
    readonly height: number
    readonly text: number
  }
  readonly covers: {
    readonly left: number
    readonly top: number
    readonly width: number
    readonly gap: number
    readonly text: number
  }
  readonly logo: { readonly top: number; readonly size: number }
}

const plans: Readonly<Record<PictureSize, Plan>> = {
  wide: {
    margin: 60,
    head: { kicker: 24, year: 92, episodes: 56, line: 22 },
    lines: [86, 188, 266, 314],
    bars: { left: 60, top: 360, width: 400, height: 96, text: 20 },
    covers: { left: 508, top: 117, width: 197, gap: 20, text: 22 },
    logo: { top: 558, size: 34 },
  },
  tall: {
    margin: 100,
    head: { kicker: 40, year: 176, episodes: 88, line: 38 },
    lines: [276, 456, 578, 644],
    bars: { left: 100, top: 1315, width: 880, height: 190, text: 30 },
    covers: { left: 100, top: 716, width: 275, gap: 27.5, text: 30 },
    logo: { top: 1600, size: 46 },
  },
}

interface Picture {
  readonly figures: YearFigures
  readonly name: string
  /** Of the first works of `best`. */
  readonly covers: readonly PictureCover[]
}

/** An SVG on light ground, without any address. */
export function yearPicture(visit: Visit, size: PictureSize, { figures, name, covers }: Picture): string {
  const { t } = visit
  const [width, height] = pictureDimensions[size]
  const { margin, head, lines, logo } = plans[size]
  const line = (at: number, fontSize: number, text: string, more: Markup = html``) =>
    html`<text x="${margin}" y="${lines[at] ?? 0}" font-size="${fontSize}"${more}>${text}</text>`
  const room = (size === 'wide' ? 420 : width - 2 * margin) / head.kicker
  const title = t.year.name(figures.from, figures.until)
  const yearSize = Math.min(
    head.year,
    (size === 'wide' ? 420 : width - 2 * margin) / ([...title].length * 0.62),
  )
  const unit = head.episodes * 0.5
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" xml:lang="${visit.language}" font-family="${gothic}" fill="${ink}"><rect width="${width}" height="${height}" fill="#fdfcfa"/>${line(0, head.kicker, cutTo(plain(t.year.of(name)), room), html` font-weight="600" fill="${soft}"`)}${line(1, yearSize, title, html` font-weight="700"`)}<text x="${margin}" y="${lines[2]}"><tspan font-size="${head.episodes}" font-weight="700" fill="${accent}">${figures.episodes.toLocaleString('en')}</tspan><tspan font-size="${unit}"> ${t.profilePage.episodes(figures.episodes)}</tspan></text>${line(3, head.line, t.year.line(figures), html` fill="${soft}"`)}${bars(visit, size, figures)}${pictureCovers(visit, size, { figures, name, covers })}<svg x="${margin}" y="${logo.top}" width="${logo.size}" height="${logo.size}" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${accent}"/><path d="M10 8v16M22 8l-9 8 9 8" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg><text x="${margin + logo.size * 1.35}" y="${logo.top + logo.size * 0.74}" font-size="${logo.size * 0.74}" font-weight="600">kiroku</text></svg>`
    .text
}

const [ink, soft, accent] = ['#24262b', '#5c6068', '#8a2b3a']

/** No character that XML does not have, and none that turns what stands beside it. */
const plain = (text: string) =>
  text.toWellFormed().replace(/[\p{Cc}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/gu, '')

function bars(visit: Visit, size: PictureSize, { months, from }: YearFigures): Markup {
  const { bars: plan } = plans[size]
  const counts = Array.from({ length: 12 }, (_, at) => {
    const [, episodes = 0, films = 0] = months[at] ?? []
    return episodes + films
  })
  const most = Math.max(...counts)
  if (most === 0) return html``
  const step = plan.width / 12
  const drawn = counts.map((count, at) => {
    const height = Math.round((plan.height * count) / most)
    const [month, middle] = [from + at, plan.left + (at + 0.5) * step]
    const day = Date.UTC(Math.floor(month / 12), month % 12) / dayLength
    const label = visit.t.stats.narrowMonth(formatDay(visit, day, 'shortMonth'))
    const isBest = count === most && counts.indexOf(count) === at
    const value = isBest
      ? html`<text x="${middle}" y="${plan.top - plan.text * 0.5}" font-size="${plan.text}" font-weight="700">${count.toLocaleString('en')}</text>`
      : html``
    return html`<rect x="${round(plan.left + at * step + step * 0.1)}" y="${plan.top + plan.height - height}" width="${round(step * 0.8)}" height="${height}" rx="4" fill="${isBest ? accent : '#85888e'}"/>${value}<text x="${round(middle)}" y="${plan.top + plan.height + plan.text * 1.3}" font-size="${plan.text}" fill="${soft}">${label}</text>`
  })
  return html`<g text-anchor="middle">${drawn}</g>`
}

const round = (value: number) => Math.round(value * 100) / 100

function pictureCovers(visit: Visit, size: PictureSize, { figures, covers }: Picture): Markup {
  const { left, top, width, gap, text } = plans[size].covers
  const height = width * 1.5
  const drawn = covers.map((cover, at) => {
    const x = round(left + at * (width + gap))
    const place = html`x="${x}" y="${top}" width="${width}" height="${height}"`
    const picture =
      'data' in cover
        ? html`<image ${place} href="${cover.data}" preserveAspectRatio="xMidYMid slice"/>`
        : nested(cover.made, `c${at}`, place)
    const work = figures.best[at]
    const title = work === undefined ? '' : plain(chosenTitle(visit, work).text)
    return html`${picture}<text x="${x}" y="${round(top + height + text * 1.5)}" font-size="${text}" font-weight="700">${cutTo(title, width / text)}</text>`
  })
  return html`${drawn}`
}

/** Only what is seen at this size, with ids of its own: those of several covers would be the same. */
function nested(svg: string, prefix: string, place: Markup): Markup {
  const inner = svg
    .replace(/^<svg[^>]*>/, '')
    .replace(/<\/svg>$/, '')
    .replace(/<style>.*?<\/style>/, '')
    .replace(/<g id="m" display="none">.*$/, '')
    .replaceAll(/(id="|url\(#|href="#)/g, `$1${prefix}-`)
  return html`<svg ${place} viewBox="0 0 240 360" xml:lang="ja">${new Markup(inner)}</svg>`
}
