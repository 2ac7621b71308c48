import MartletBridges
import Testing
