# Writes data frames of R's packages as CSV files, the target last: `Rscript export.R TABLES FOLDER`. Columns that are
# ignored, then rows with a missing value, then classes of less than five rows are left out.

arguments <- commandArgs(trailingOnly = TRUE)
tables <- read.csv(arguments[1], colClasses = "character")
missing <- Filter(function(name) !requireNamespace(name, quietly = TRUE), unique(tables$package))
if (length(missing)) stop("R has no package ", paste(missing, collapse = ", "), call. = FALSE)

# Some packages have their data only in `data()`.
data_of <- function(package, frame) {
  place <- new.env()
  tryCatch(getExportedValue(package, frame), error = function(none) {
    get(data(list = frame, package = package, envir = place), place)
  })
}

for (row in seq_len(nrow(tables))) {
  table <- tables[row, ]
  frame <- as.data.frame(data_of(table$package, table$frame))
  ignored <- c(strsplit(table$ignored, " ")[[1]], table$target)
  frame <- na.omit(frame[c(setdiff(names(frame), ignored), table$target)])
  frame <- frame[ave(seq_len(nrow(frame)), frame[[table$target]], FUN = length) >= 5, ]
  file <- file.path(arguments[2], paste0(table$frame, " ", table$target, ".csv"))
  write.csv(frame, file, row.names = FALSE)
}
