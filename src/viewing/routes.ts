import type { PageRoute } from '../web/page'
import { activityPages } from './activity/page'
import { actRoutes, statusRoutes } from './acts/acts'
import { pastRoute } from './acts/past'
import { pastPage } from './acts/past-page'
import { recordAired, recordRoutes } from './acts/record'
import { calendarPages } from './calendar/page'
import { diaryOfMonth, diaryOfNow } from './diary/page'
import { diaryOfYear } from './diary/year'
import { correctionsPage } from './editing/corrections'
import { episodeEditing } from './editing/episode-acts'
import { hidingPages } from './editing/hidden'
import { historyPages } from './editing/history'
import { newWork } from './editing/new-work'
import { programEditing } from './editing/program-acts'
import { proposalPages } from './editing/proposals'
import { workEditing } from './editing/work'
import { likeRoute } from './episode/like'
import { episodePage } from './episode/page'
import { nowPicture } from './feeds/now'
import { withFeed } from './feeds/person'
import { welcomePage } from './first-run/page'
import { front } from './front/page'
import { historyPage } from './history/page'
import { importRoutes } from './import/routes'
import { keptRoutes } from './kept/page'
import { datesPage } from './library/dates-page'
import { libraryOfUser, libraryPage, libraryPageWithChosen } from './library/page'
import { listActs } from './lists/acts'
import { addToListPage } from './lists/add'
import { listEditPage, listedWorkPage } from './lists/edit'
import { newListPage } from './lists/form'
import { listsPage } from './lists/overview'
import { listPage } from './lists/page'
import { meetingActs } from './meeting/acts'
import { changePage, planPage } from './meeting/form'
import { meetingPage } from './meeting/page'
import { mergePages } from './merging/merge-page'
import { splitPages } from './merging/split-page'
import { twinPages } from './merging/twins-page'
import { notificationPages } from './notifications/page'
import { recordEdit, viewingEdit } from './own/edit-route'
import { peoplePages } from './people/page'
import { phoneRoutes } from './phone/pages'
import { connectionRoutes } from './profile/connect'
import { favouriteRoutes } from './profile/favourites'
import { profilePage } from './profile/page'
import { reportPage } from './report/page'
import { inboxRoutes } from './scrobbling/inbox-page'
import { scrobblingRoutes } from './scrobbling/page'
import { searchPage } from './search/page'
import { seasonPages } from './seasons/page'
import { seriesPage } from './series/page'
import { recordSheet } from './sheet/page'
import { slotActs } from './slot/acts'
import { slotPage } from './slot/page'
import { statisticsPage } from './stats/page'
import { statusPage } from './status/page'
import { commentRoutes } from './thread/acts'
import { threadPages } from './thread/page'
import { viewingPage } from './viewing/page'
import { workPage, workPageBySlug } from './work/page'
import { yearRoutes } from './year/page'

export const viewingRoutes: readonly PageRoute[] = [
  front,
  welcomePage,
  recordSheet,
  searchPage,
  ...seasonPages,
  ...calendarPages,
  statusPage,
  addToListPage,
  slotPage,
  planPage,
  changePage,
  meetingPage,
  ...newWork,
  workPage,
  seriesPage,
  ...workEditing,
  ...historyPages,
  ...mergePages,
  ...splitPages,
  ...twinPages,
  ...proposalPages,
  ...correctionsPage,
  ...episodeEditing,
  ...programEditing,
  ...hidingPages,
  episodePage,
  likeRoute,
  ...threadPages,
  ...notificationPages,
  ...recordEdit,
  ...viewingEdit,
  datesPage,
  viewingPage,
  workPageBySlug,
  ...reportPage,
  ...activityPages,
  ...peoplePages,
  withFeed(profilePage),
  statisticsPage,
  newListPage,
  ...[listsPage, listPage, listEditPage, listedWorkPage],
  libraryOfUser,
  libraryPage,
  libraryPageWithChosen,
  diaryOfNow,
  diaryOfYear,
  diaryOfMonth,
  nowPicture,
  ...yearRoutes,
  historyPage,
  ...keptRoutes,
  ...phoneRoutes,
  ...importRoutes,
  ...scrobblingRoutes,
  ...inboxRoutes,
  ...connectionRoutes,
  ...favouriteRoutes,
  ...statusRoutes,
  ...recordRoutes,
  ...slotActs,
  ...meetingActs,
  ...commentRoutes,
  ...listActs,
  recordAired,
  pastPage,
  pastRoute,
  ...actRoutes,
]
