export { ArtifactInspector, type Containment } from './artifact-inspector';
export { isParsed } from './artifact-reader';
export { type ArtifactSource } from './artifact-source';
export { type ArtifactWarning, type Installability, installability, warningsOf } from './artifact-warnings';
export { compareVersions } from './compare-versions';
export { type Icon } from './image/icon';
export {
  type AndroidScheme,
  type AndroidSigning,
  type DeviceFamily,
  type InspectedAndroid,
  type InspectedArtifact,
  type InspectedIpa,
  type InspectedOther,
  type IosDistribution,
  type IosSigning,
  type IosTarget,
} from './inspected-artifact';
export { type RefusalReason } from './inspection-errors';
