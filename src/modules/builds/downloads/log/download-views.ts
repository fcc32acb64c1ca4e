import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page, type PageRequest } from '#kernel/cursor';
import { type TesterDownload } from './build-download';

/** Reads the download log with the names of testers and builds. A read model implements it. */
export abstract class DownloadViews {
  /** One page of a build's log, newest first. */
  abstract listOfBuild(
    ctx: RequestContext,
    scope: ProjectScope,
    buildId: string,
    request: PageRequest,
  ): Promise<Page<TesterDownload>>;

  /** One page of the downloads through the links of a tester, newest first. */
  abstract listOfTester(
    ctx: RequestContext,
    scope: ProjectScope,
    testerId: string,
    request: PageRequest,
  ): Promise<Page<TesterDownload>>;
}
